import type { Detail } from '@wlv/client/call';
import { mac, stepText, toBase64Url } from '../../live/step.ts';

export type CardKey = Detail<'/api/user/member/key'>;

/**
 * What the card says in a step, made by the phone alone: the text of the QR,
 * `M1.<organisation's tag>.<key, 16 bytes>.<step>.<first 16 bytes of HMAC-SHA256(secret, all that stands before)>`,
 * and the last six digits of the first eight of these bytes as a number.
 */
export async function cardCode(key: CardKey, step: number) {
  const signed = stepText('M1', key.organisation_tag, key.id, step);
  const bytes = (await mac(key.secret, signed)).slice(0, 16);
  const number = new DataView(bytes.buffer).getBigUint64(0) % 1_000_000n;
  return { qr: `${signed}.${toBase64Url(bytes)}`, digits: String(number).padStart(6, '0') };
}
