import { setNonce } from 'get-nonce';

/**
 * Lets the styles that dialogs write while they are open pass the page's Content-Security-Policy:
 * they carry the nonce of the server's own style. Once, before anything is shown.
 */
export function trustOwnStyles() {
  const nonce = document.querySelector<HTMLStyleElement>('#org-theme')?.nonce;
  if (nonce) setNonce(nonce);
}
