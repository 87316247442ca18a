/** Where the token of an invitation waits while its person is at LINE. */
const key = 'register';
// Browsers cap the specification's 2147483647 seconds at 400 days; the invitation itself ends after 72 hours.
const seconds = 2147483647;

/** The token behind the # of the address, or the one that was kept before; it leaves the address at once. */
export function takeInvitation() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given) {
    localStorage.setItem(key, given);
    writeCookie(given, seconds);
    history.replaceState(history.state, '', location.pathname);
  }
  return given || localStorage.getItem(key) || readCookie();
}

/** Used or worthless: nobody needs it any more. */
export function forgetInvitation() {
  localStorage.removeItem(key);
  writeCookie('', 0);
}

function writeCookie(value: string, maxAge: number) {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every phone we serve
  document.cookie = `${key}=${encodeURIComponent(value)}; max-age=${maxAge}; path=/owner/register; samesite=strict${secure}`;
}

function readCookie() {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${key}=`));
  return found ? decodeURIComponent(found.slice(key.length + 1)) : '';
}
