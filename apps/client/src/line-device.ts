import { liff } from '@line/liff';
import { ApiError } from './api-error.ts';
import type { Device, LineMessage } from './device-types.ts';
import { liffErrors } from './faults/liff.ts';
import { loadFaults } from './faults.ts';
import { keepReturn } from './return-path.ts';

/** What a phone can do for us where LINE's kit is. What that cannot do, it does as a browser. */
export async function openLine(liffId: string, browser: Device): Promise<Device> {
  await liff.init({ liffId });
  // Read at once: LINE's kit keeps it where the end of a session clears everything.
  const endpoint = liff.getContext()?.endpointUrl;
  forgetAnswer();
  const picks = () => liff.isApiAvailable('shareTargetPicker');
  const pickFriends = async (message: LineMessage) => {
    const sent = await answered(() => liff.shareTargetPicker([message]));
    return sent ? 'shared' : 'cancelled';
  };
  const plain = (text: string, url: string): LineMessage => ({ type: 'text', text: `${text}\n${url}` });
  return {
    inLine: true,
    idToken: () => liff.getIDToken(),
    // Inside a LIFF window LINE has said already who this is.
    signIn: liff.isInClient() ? null : (returnTo) => liff.login({ redirectUri: comeBack(returnTo, endpoint) }),
    openOutside: liff.isInClient() ? (url) => liff.openWindow({ url, external: true }) : null,
    scan: liff.isApiAvailable('scanCodeV2') ? async () => (await answered(() => liff.scanCodeV2())).value : null,
    share: (text, url) => (picks() ? pickFriends(plain(text, url)) : browser.share(text, url)),
    shareSheet: browser.shareSheet,
    // LINE refuses where the shop has linked no account to its sign-in.
    friend: () =>
      liff.getFriendship().then(
        ({ friendFlag }) => friendFlag,
        () => null,
      ),
    sendInLine: (text, url, message) =>
      picks() ? pickFriends(message ?? plain(text, url)) : browser.sendInLine(text, url),
  };
}

/** Asks LINE's kit. What it throws becomes an error that has its sentence. */
async function answered<T>(what: () => Promise<T>): Promise<T> {
  try {
    return await what();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    await loadFaults().catch(() => undefined);
    throw new ApiError(message, {
      code: 0,
      fault: Object.hasOwn(liffErrors, message) ? message : 'client.line_failed',
    });
  }
}

/**
 * Where LINE returns to: an address that is ours and plain, whatever the path that it stands for has in it. It stands below that of the LIFF
 * app, which LINE asks for: its page may have led elsewhere meanwhile.
 */
function comeBack(returnTo: string, endpoint?: string) {
  const [, app, liffId] = location.pathname.split('/');
  const below = endpoint ?? `${location.origin}/${app}/${liffId}`;
  return `${below.replace(/\/$/, '')}/home/cb?back=${keepReturn(returnTo)}`;
}

/** What LINE's sign-in answered in the address is spent, and nobody's to copy. */
function forgetAnswer() {
  const here = new URL(location.href);
  if (!here.searchParams.has('liffClientId')) return;
  for (const name of ['code', 'state', 'liffClientId', 'liffRedirectUri']) here.searchParams.delete(name);
  history.replaceState(null, '', here);
}
