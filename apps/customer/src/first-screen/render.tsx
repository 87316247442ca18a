import { i18n } from '@lingui/core';
import { App } from '@wlv/client/app';
import type { Boot, Language, Organisation } from '@wlv/client/boot';
import { messages as sharedEnglish } from '@wlv/client/locales/en.po';
import { messages as sharedThai } from '@wlv/client/locales/th.po';
import { newQueryClient } from '@wlv/client/query-client';
import { stillRouter } from '@wlv/client/still-router';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { messages as laterEnglish } from '../features/locales/en.po';
import { messages as laterThai } from '../features/locales/th.po';
import { site } from '../features/site/routes.tsx';
import { messages as english } from '../locales/en.po';
import { messages as thai } from '../locales/th.po';
import { areas } from '../routes.tsx';

export const languages = ['th', 'en'] as const satisfies Language[];

const sentences = {
  th: { ...sharedThai, ...thai, ...laterThai },
  en: { ...sharedEnglish, ...english, ...laterEnglish },
};

/** A page as a browser opens it: its address, whose it is, and the answers that come with it. */
export interface Opened {
  path: string;
  org: Organisation | null;
  data: Boot['data'];
}

/** Makes what renders pages of one language, as a visitor's browser shows them first. */
export function renderer(lang: Language) {
  i18n.load(lang, sentences[lang]);
  i18n.activate(lang);

  /** Renders the whole page, or `part` of it as it stands in there. */
  return async ({ path, org, data }: Opened, part?: ReactNode) => {
    const boot: Boot = { lang, area: 'customer', org, line: {}, data };
    const { Part, ...router } = await stillRouter([...site(org ? 'shop' : 'platform'), ...areas], path);
    const Pages = part === undefined ? router.Pages : () => <Part>{part}</Part>;
    const markup = renderToString(<App boot={boot} client={newQueryClient(boot)} router={{ ...router, Pages }} />);
    // React asks for pictures ahead of what it renders; the server's head does that.
    return markup.replace(/^(<link rel="preload"[^>]*>)+/, '');
  };
}
