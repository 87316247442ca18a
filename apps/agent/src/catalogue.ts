import type { Catalogue } from '@wlv/client/language';
import { messages as th } from './locales/th.po';

/** This app's sentences. */
export const catalogue: Catalogue = { th, en: () => import('./locales/en.po') };
