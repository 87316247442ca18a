import type { Device, Sent } from './device-types.ts';

const browser: Device = {
  inLine: false,
  idToken: () => null,
  signIn: null,
  scan: null,
  openOutside: null,
  friend: async () => null,
  share: shareSheet,
  shareSheet,
  async sendInLine(text, url) {
    const page = window.open(sharePage(text, url), '_blank');
    if (!page) return shareSheet(text, url);
    page.opener = null;
    return 'opened';
  },
};

async function shareSheet(text: string, url: string): Promise<Sent> {
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
}

/** LINE's page that sends a text: a phone opens LINE itself by it, a computer has only one for links. */
function sharePage(text: string, url: string) {
  if (/Android|iPhone|iPad|iPod/.test(navigator.userAgent)) {
    return `https://line.me/R/share?text=${encodeURIComponent(`${text}\n${url}`)}`;
  }
  return `https://social-plugins.line.me/lineit/share?${new URLSearchParams({ url, text })}`;
}

let opened: Promise<Device> | undefined;

/**
 * The device, once. LINE's kit is loaded only inside LINE and before the router is made:
 * it rewrites the address (`liff.state`) on the way.
 */
export function device(liffId?: string): Promise<Device> {
  const inLine = liffId && /\bLine\//.test(navigator.userAgent);
  // When LINE's kit does not answer, the page still stands and works as in a browser.
  opened ??= inLine
    ? openLine(liffId).catch((failed) => ({ ...openBrowser(), failed }))
    : Promise.resolve(openBrowser());
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

async function openLine(liffId: string) {
  return (await import('./line-device.ts')).openLine(liffId, browser);
}
