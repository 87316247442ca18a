import type { MessageCatalog } from '@wlv/client/language';
import { messages as th } from './locales/th.po';

/** This app's sentences. */
export const messageCatalog: MessageCatalog = { th, en: () => import('./locales/en.po') };
