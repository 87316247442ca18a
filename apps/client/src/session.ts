export type Audience = 'user' | 'agent' | 'owner' | 'staff' | 'admin';

const tokenKey = (audience: Audience) => `token:${audience}`;
const visitorKey = 'token:visitor';

/**
 * What outlives the end of a session: the cart, as the sentence about an ended session promises, where the person was going,
 * and the calls whose outcome nobody knows yet (call-once.ts).
 */
const kept = ['cart', 'tradepath', 'paramspage', 'ref', 'sale-link', 'card'];

export const oncePrefix = 'once:';

let askVisitorToken: (() => Promise<string>) | undefined;
let asking: Promise<string> | undefined;

/** Silent: nothing is said of it at the entry. */
type Listener = (audience: Audience, silent: boolean) => void;
const expiredListeners = new Set<Listener>();

/** One token per audience, in local storage; the anonymous visitor's token reads the market for who has none. */
export const session = {
  token(audience: Audience) {
    return localStorage.getItem(tokenKey(audience));
  },

  /** The anonymous token, asked for the first time it is needed; two calls at once ask once. */
  async visitorToken(): Promise<string | null> {
    const stored = localStorage.getItem(visitorKey);
    if (stored || !askVisitorToken) return stored;
    asking ??= askVisitorToken().finally(() => {
      asking = undefined;
    });
    const token = await asking;
    localStorage.setItem(visitorKey, token);
    return token;
  },

  /** An app that shows something to visitors says how they get their token. */
  enableVisitors(ask: () => Promise<string>) {
    askVisitorToken = ask;
  },

  dropVisitor() {
    localStorage.removeItem(visitorKey);
  },

  save(audience: Audience, token: string) {
    localStorage.setItem(tokenKey(audience), token);
  },

  /** What a guard does without a token: the owner's area forgets itself, every other one forgets all. */
  clear(audience: Audience) {
    if (audience === 'owner') {
      localStorage.removeItem(tokenKey('owner'));
      localStorage.removeItem('org');
      return;
    }
    const keep = Object.entries(localStorage).filter(([key]) => kept.includes(key) || key.startsWith(oncePrefix));
    localStorage.clear();
    for (const [key, value] of keep) localStorage.setItem(key, value);
  },

  /** Signing out forgets the cart as well: the phone may be somebody else's next. */
  forget(audience: Audience) {
    if (audience === 'owner') session.clear(audience);
    else localStorage.clear();
  },

  /** The server said 401 or 402. Who listens leaves for the entry page and says so. */
  expire(audience: Audience) {
    leave(audience, false);
  },

  /** There is no session, or it ended inside an answer that was good otherwise: the same, and nothing is said. */
  end(audience: Audience) {
    leave(audience, true);
  },

  onExpired(listener: Listener) {
    expiredListeners.add(listener);
    return () => expiredListeners.delete(listener);
  },
};

function leave(audience: Audience, silent: boolean) {
  // Where there is none, nothing is of it; what else is stored belongs to others.
  if (session.token(audience)) session.clear(audience);
  for (const listener of expiredListeners) listener(audience, silent);
}

/** Which session a call belongs to; none for signing in and public calls. */
export function audienceOf(path: string): Audience | null {
  const [, , segment] = path.split('/');
  return ['user', 'agent', 'owner', 'staff', 'admin'].includes(segment ?? '') ? (segment as Audience) : null;
}
