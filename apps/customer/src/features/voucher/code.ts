import { mac, stepText, toBase64Url } from '../../live/step.ts';

export interface CodeInput {
  /** The session's id, a UUID. */
  session: string;
  /** 32 bytes, base64url. */
  secret: string;
  /** The organisation's tag: a code of one shop is worth nothing in another. */
  organisation: string;
}

/**
 * The QR's text, made by the phone alone:
 * `V1.<organisation's tag>.<session, 16 bytes>.<step>.<first 16 bytes of HMAC-SHA256(secret, all that stands before)>`,
 * bytes in base64url.
 */
export async function codeText(input: CodeInput, step: number): Promise<string> {
  const signed = said('V1', input, step);
  return `${signed}.${toBase64Url((await mac(input.secret, signed)).slice(0, 16))}`;
}

/** Nothing that is mistaken for something else when read aloud or typed. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/**
 * What is typed where nobody can scan: the name of the session, and five letters of this step: the first eight bytes of
 * HMAC-SHA256(secret, `T1.<organisation's tag>.<session>.<step>`) as a number to the base of the letters, the lowest first.
 */
export async function typedText(name: string, input: CodeInput, step: number): Promise<string> {
  const bytes = await mac(input.secret, said('T1', input, step));
  let number = new DataView(bytes.buffer).getBigUint64(0);
  let typed = name;
  for (let i = 0; i < 5; i++) {
    typed += letters[Number(number % BigInt(letters.length))];
    number /= BigInt(letters.length);
  }
  return typed;
}

const said = (version: string, { session, organisation }: CodeInput, step: number) =>
  stepText(version, organisation, session, step);
