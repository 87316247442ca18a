import type { liff as Liff } from '@line/liff';
import { keepReturn } from './return-path.ts';

/** What a phone can do for us, inside LINE or in a plain browser. */
export interface Device {
  inLine: boolean;
  /** LINE's proof of who this is; null outside LINE. */
  idToken(): string | null;
  /** LINE's own sign-in, which comes back to this LIFF app's home and goes on at a path of ours; null where our web login does it. */
  signIn: ((returnTo: string) => void) | null;
  /** Sends a text with a link to friends; answers how it went, so that the screen can say it. */
  share(text: string, url: string): Promise<'shared' | 'copied' | 'cancelled'>;
  /** The same in LINE and nowhere else: its picker of friends inside LINE, its share page in a browser. */
  sendInLine(text: string, url: string): Promise<'shared' | 'opened' | 'cancelled'>;
  /** LINE's own QR reader; null where there is none. */
  scan: (() => Promise<string | null>) | null;
}

const browser: Device = {
  inLine: false,
  idToken: () => null,
  signIn: null,
  scan: null,
  async share(text, url) {
    if (!navigator.share) {
      await navigator.clipboard.writeText(`${text}\n${url}`);
      return 'copied';
    }
    try {
      await navigator.share({ text, url });
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
      throw error;
    }
  },
  async sendInLine(text, url) {
    const search = new URLSearchParams({ url, text });
    window.open(`https://social-plugins.line.me/lineit/share?${search}`, '_blank', 'noopener');
    return 'opened';
  },
};

function line(liff: typeof Liff): Device {
  const picks = () => liff.isApiAvailable('shareTargetPicker');
  const pickFriends = async (text: string, url: string) => {
    const sent = await liff.shareTargetPicker([{ type: 'text', text: `${text}\n${url}` }]);
    return sent ? 'shared' : 'cancelled';
  };
  return {
    inLine: true,
    idToken: () => liff.getIDToken(),
    // Inside a LIFF window LINE has said already who this is.
    signIn: liff.isInClient() ? null : (returnTo) => liff.login({ redirectUri: comeBack(returnTo) }),
    scan: liff.isApiAvailable('scanCodeV2') ? async () => (await liff.scanCodeV2()).value : null,
    share: (text, url) => (picks() ? pickFriends(text, url) : browser.share(text, url)),
    sendInLine: (text, url) => (picks() ? pickFriends(text, url) : browser.sendInLine(text, url)),
  };
}

/** Where LINE returns to: an address that is ours and plain, whatever the path that it stands for has in it. */
function comeBack(returnTo: string) {
  const [, app, liffId] = location.pathname.split('/');
  return `${location.origin}/${app}/${liffId}/home/cb?back=${keepReturn(returnTo)}`;
}

let opened: Promise<Device> | undefined;

/**
 * The device, once. LINE's kit is loaded only inside LINE and before the router is made:
 * it rewrites the address (`liff.state`) on the way.
 */
export function device(liffId?: string): Promise<Device> {
  const inLine = liffId && /\bLine\//.test(navigator.userAgent);
  // When LINE's kit does not answer, the page still stands and works as in a browser.
  opened ??= inLine ? openLine(liffId).catch(openBrowser) : Promise.resolve(openBrowser());
  return opened;
}

/** A link of liff.line.me comes to the app's first page with its rest in `liff.state`; where LINE's kit is not, we go on there. */
function openBrowser() {
  const state = new URLSearchParams(location.search).get('liff.state');
  if (state) {
    const rest = state.startsWith('/') || state.startsWith('?') ? state : `/${state}`;
    // Not a bare path: one that begins with two slashes names another host.
    history.replaceState(null, '', location.origin + location.pathname.replace(/\/$/, '') + rest);
  }
  return browser;
}

async function openLine(liffId: string): Promise<Device> {
  const { liff } = await import('@line/liff');
  await liff.init({ liffId });
  forgetAnswer();
  return line(liff);
}

/** What LINE's sign-in answered in the address is spent, and nobody's to copy. */
function forgetAnswer() {
  const here = new URL(location.href);
  if (!here.searchParams.has('liffClientId')) return;
  for (const name of ['code', 'state', 'liffClientId', 'liffRedirectUri']) here.searchParams.delete(name);
  history.replaceState(null, '', here);
}
