/** Seconds that one code lasts; the server takes the current and the last one. */
export const stepSeconds = 30;

export function stepAt(milliseconds: number) {
  return Math.floor(milliseconds / 1000 / stepSeconds);
}

/** What a code of a step says before it is signed: `<version>.<organisation's tag>.<id, 16 bytes in base64url>.<step>`. */
export function stepText(version: string, organisation: string, id: string, step: number) {
  return `${version}.${organisation}.${toBase64Url(uuidBytes(id))}.${step}`;
}

/** HMAC-SHA256 of a text; the secret is in base64url. */
export async function mac(secret: string, text: string) {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', fromBase64Url(secret), hmac, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}

function fromBase64Url(text: string) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

export function toBase64Url(bytes: Uint8Array) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function uuidBytes(uuid: string) {
  return Uint8Array.from(uuid.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
