import '../src/theme/theme.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Preview } from '@storybook/react-vite';
import { messages as en } from '../../client/src/locales/en.po';
import { messages as th } from '../../client/src/locales/th.po';
import { messages as laterEn } from '../../customer/src/features/locales/en.po';
import { messages as laterTh } from '../../customer/src/features/locales/th.po';
import { stylesheet } from '../src/theme/theme.ts';

const organisations = {
  platform: { title: 'We Love Voucher', colours: ['#E50014', '#061C33'] },
  spa: { title: 'เรือนละไม สปา', colours: ['#1F5C4D', '#D9A662'] },
  hotel: { title: 'โรงแรมสาทรวารี', colours: ['#061C33', '#D3AE55'] },
  ice: { title: 'ยิ้มหวาน', colours: ['#F7A8B8', '#2E7D6B'] },
} as const;

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
      const [primary, secondary] = organisations[organisation].colours;
      i18n.activate(language);
      document.documentElement.lang = language;
      document.documentElement.dataset.theme = appearance;
      return (
        <I18nProvider i18n={i18n}>
          <style>{stylesheet(primary, secondary)}</style>
          <Story />
        </I18nProvider>
      );
    },
  ],
};

export default preview;
