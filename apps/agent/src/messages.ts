import type { MessageCatalog } from '@wlv/client/language';
import { messages as th } from './locales/th.po';

/** This app's sentences; those of its home come with the first script. */
export const messageCatalog: MessageCatalog = {
  th,
  en: () => import('./locales/en.po'),
  later: { th: () => import('./features/locales/th.po'), en: () => import('./features/locales/en.po') },
};
