import '../src/theme/theme.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Preview } from '@storybook/react-vite';
import { messages as en } from '../../client/src/locales/en.po';
import { messages as th } from '../../client/src/locales/th.po';
import { messages as laterEn } from '../../customer/src/features/locales/en.po';
import { messages as laterTh } from '../../customer/src/features/locales/th.po';
import examples from '../src/theme/examples.json';
import { stylesheet } from '../src/theme/theme.ts';

const organisations = {
  platform: { title: 'We Love Voucher', colours: ['#e50014', '#061c33'] },
  spa: { title: 'เรือนละไม สปา', colours: ['#1f5c4d', '#d9a662'] },
  hotel: { title: 'โรงแรมสาทรวารี', colours: ['#061c33', '#d3ae55'] },
  ice: { title: 'ยิ้มหวาน', colours: ['#f7a8b8', '#2e7d6b'] },
} as const;

/** Its theme, of those that the server's test has computed. */
function themeOf([primary, secondary]: readonly [string, string]) {
  const found = examples.find((one) => one.primary === primary && one.secondary === secondary);
  if (!found) throw new Error(`theme/examples.json has no ${primary} with ${secondary}`);
  return found;
}

i18n.load({ en: { ...en, ...laterEn }, th: { ...th, ...laterTh } });

const preview: Preview = {
  globalTypes: {
    language: { toolbar: { title: 'Language', items: ['th', 'en'] } },
    appearance: { toolbar: { title: 'Light or dark', items: ['light', 'dark'] } },
    organisation: {
      toolbar: {
        title: 'Organisation',
        items: Object.entries(organisations).map(([value, { title }]) => ({ value, title })),
      },
    },
  },
  initialGlobals: { language: 'th', appearance: 'light', organisation: 'spa' },
  parameters: { layout: 'padded', a11y: { test: 'error' } },
  decorators: [
    (Story, { globals }) => {
      const { language, appearance, organisation } = globals as {
        language: 'th' | 'en';
        appearance: 'light' | 'dark';
        organisation: keyof typeof organisations;
      };
      i18n.activate(language);
      document.documentElement.lang = language;
      document.documentElement.dataset.theme = appearance;
      return (
        <I18nProvider i18n={i18n}>
          <style>{stylesheet(themeOf(organisations[organisation].colours))}</style>
          <Story />
        </I18nProvider>
      );
    },
  ],
};

export default preview;
