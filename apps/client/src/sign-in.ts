import { ApiError } from './api-error.ts';
import { browserPage } from './browser-page.ts';
import { type Body, call, callForToken } from './call.ts';
import { device } from './device.ts';
import { type Audience, session } from './session.ts';

/**
 * Leaves for LINE's own sign-in page. LINE comes back to `/logincallback/{area}`, or, from a LIFF app in LINE's browser,
 * to the page itself.
 */
export async function startLine(input: {
  audience: Audience;
  unique?: string;
  liffId?: string;
  /** Of the back office: the token of a staff invitation to take, or that it shows who has lost his password. */
  office?: { invitation: string } | { resets: true };
  returnTo: string;
}) {
  const { signIn } = await device(input.liffId);
  if (signIn) return signIn(input.returnTo);
  const { url } = await call('/api/authen/line/start', {
    audience: input.audience,
    return: input.returnTo,
    ...(input.unique ? { unique: input.unique } : {}),
    ...(input.liffId ? { liff_id: input.liffId } : {}),
    ...input.office,
  });
  browserPage.open(url);
}

/** Trades what LINE brought back for our token, if it opened a session; answers where the person wanted to go. */
export async function finishLine(input: Body<'/api/authen/line/finish'>) {
  const { token, detail } = await callForToken('/api/authen/line/finish', input);
  if (detail.audience !== 'client' && token) session.save(detail.audience, token);
  return detail.return;
}

/** Signs a customer in by the proof that LINE gives inside its own app. */
export async function signInInsideLine(idToken: string, unique: string) {
  const { token } = await callForToken(
    '/api/authen/webclient/{unique}/line',
    { LINETOKEN: idToken, unique, addorg: true },
    { params: { unique } },
  );
  session.save('user', token);
}

/** The same in an agent app, which stands under its own LIFF id. */
export async function signInAgentInsideLine(idToken: string, liffId: string) {
  const { token } = await callForToken(
    '/api/authen/agent/{liffId}/line',
    { LINETOKEN: idToken },
    { params: { liffId } },
  );
  session.save('agent', token);
}

/** An anonymous token, which reads what everybody may see; by the organisation's slug or LIFF id. */
export async function visit(key: string): Promise<string> {
  const { token } = await callForToken(
    '/api/authen/web/client/{unique}',
    { session: randomSession(), channel: onlineChannel, autorenew: true },
    { params: { unique: key } },
  );
  return token;
}

/** The sale channel of whoever comes without a counter, an agent or paper. */
const onlineChannel = 2;

/** 25 letters and digits, as the specification wants them. */
function randomSession() {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) => letters[byte % letters.length]).join('');
}

/** Asks on entry whether the stored token still holds, in this LIFF app if it is one; when it does not, the session is over. */
export async function recheck(audience: Audience, liffId?: string) {
  const token = session.token(audience);
  if (!token) return null;
  const path = audience === 'agent' ? '/api/authen/agentrechecktoken' : '/api/authen/rechecktoken';
  try {
    return await call(path, { token, ...(liffId ? { liffId } : {}) }, { as: audience });
  } catch (error) {
    if (error instanceof ApiError && error.sessionExpired) session.expire(audience);
    else throw error;
    return null;
  }
}

/** Ends the session here and at the server; the person is out even when the server can't be reached. */
export async function signOut(audience: Audience) {
  const told = call('/api/authen/logout', {}, { as: audience });
  session.forget(audience);
  await told.catch(() => undefined);
}
