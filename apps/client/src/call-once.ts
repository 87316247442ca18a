import { ApiError, isFault } from './api-error.ts';
import { type Body, call, type Detail, type Path } from './call.ts';
import { oncePrefix } from './session.ts';

/** A call whose outcome nobody knows yet, as it was sent. */
interface Sent<P extends Path> {
  key: string;
  body: Body<P>;
  at: number;
}

/** How long a call is remembered. Who wants the same again on another day means another one. */
const remembered = 24 * 60 * 60 * 1000;

/**
 * Sends a call that moves money or rights, and takes effect once. Until the server has said what became of it, the call is kept with its
 * idempotency key, also when the person leaves the page or the app: asking for the same again then repeats the first call, body and key.
 * `intent` is what makes it the same; without it, the body is. `key` is the one that the call was planned under.
 */
export async function callOnce<P extends Path>(
  path: P,
  body: Body<P>,
  intent: unknown = body,
  key: string = crypto.randomUUID(),
): Promise<Detail<P>> {
  const slot = `${oncePrefix}${path}:${JSON.stringify(intent)}`;
  const sent = stored<P>(slot) ?? { key, body, at: Date.now() };
  store(slot, JSON.stringify(sent));
  try {
    const detail = await call(path, sent.body, { idempotencyKey: sent.key });
    localStorage.removeItem(slot);
    return detail;
  } catch (error) {
    if (hadNoEffect(error)) localStorage.removeItem(slot);
    throw error;
  }
}

/** Stores a call. Where the browser has no room left, the call is sent all the same: it is only not repeated under its key. */
function store(slot: string, sent: string) {
  try {
    localStorage.setItem(slot, sent);
  } catch (error) {
    console.warn('call-once: not stored', error);
  }
}

function stored<P extends Path>(slot: string): Sent<P> | null {
  try {
    const sent = JSON.parse(localStorage.getItem(slot) ?? 'null') as Sent<P> | null;
    return sent?.key && Date.now() - sent.at < remembered ? sent : null;
  } catch {
    return null; // not written by this version: as good as none
  }
}

/** Codes that are answered before the key is looked up: they say nothing of what an earlier try of the call has done. */
const early = [401, 402, 403, 429];

/** Says whether an error means that the call has had no effect. Any other leaves it open: the call is sent again as it was. */
export function hadNoEffect(error: unknown) {
  if (!(error instanceof ApiError) || isFault(error, 'consent.missing')) return false;
  return error.code >= 400 && error.code < 500 && !early.includes(error.code);
}
