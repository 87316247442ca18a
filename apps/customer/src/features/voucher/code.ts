/** Seconds that one code lasts; the server takes the current and the last one. */
export const slotSeconds = 30;

export interface CodeInput {
  /** The session's id, a UUID. */
  session: string;
  /** 32 bytes, base64url. */
  secret: string;
  /** The organisation's tag: a code of one shop is worth nothing in another. */
  organisation: string;
}

export function slotAt(milliseconds: number) {
  return Math.floor(milliseconds / 1000 / slotSeconds);
}

/**
 * The QR's text, made by the phone alone:
 * `V1.<organisation's tag>.<session, 16 bytes>.<slot>.<first 16 bytes of HMAC-SHA256(secret, all that stands before)>`,
 * bytes in base64url.
 */
export async function codeText({ session, secret, organisation }: CodeInput, slot: number): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', fromBase64Url(secret), hmac, false, ['sign']);
  const signed = `V1.${organisation}.${toBase64Url(uuidBytes(session))}.${slot}`;
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed)));
  return `${signed}.${toBase64Url(mac.slice(0, 16))}`;
}

function fromBase64Url(text: string) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function uuidBytes(uuid: string) {
  return Uint8Array.from(uuid.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
