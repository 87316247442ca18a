import { i18n } from '@lingui/core';
import type { Language } from '@wlv/client/boot';
import { call } from '@wlv/client/call';
import { device } from '@wlv/client/device';

const lastReport = 'line-report';

/**
 * Says to the server, once for each answer, in which language the person reads, whether he is a friend of the shop's account, and with which
 * code LINE's kit did not start.
 */
export async function reportLine(liffId: string | undefined) {
  const lang = i18n.locale as Language;
  const phone = await device(liffId);
  const friend = await phone.friend();
  const failed = phone.failed ? codeOf(phone.failed) : '';
  const now = `${lang} ${friend} ${failed}`;
  if (sessionStorage.getItem(lastReport) === now) return;
  await call('/api/user/push/device', { lang, friend, failed });
  sessionStorage.setItem(lastReport, now);
}

/** LINE's kit names what went wrong by a code; what has none is the way to the kit. */
function codeOf(error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z_]{1,40}$/.test(code) ? code : 'NOT_LOADED';
}
