import { i18n } from '@lingui/core';
import type { Language } from '@wlv/client/boot';
import { call } from '@wlv/client/call';
import { device } from '@wlv/client/device';

const lastReport = 'line-report';

/** Says to the server, once for each answer, in which language the person reads and whether he is a friend of the shop's account. */
export async function reportLine(liffId: string | undefined) {
  const lang = i18n.locale as Language;
  const friend = await (await device(liffId)).friend();
  const now = `${lang} ${friend}`;
  if (sessionStorage.getItem(lastReport) === now) return;
  await call('/api/user/push/device', { lang, friend });
  sessionStorage.setItem(lastReport, now);
}
