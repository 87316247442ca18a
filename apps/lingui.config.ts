import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** What no first screen of the customer app says, beside its features. */
const laterSentences = [
  'features/market/filter-form.tsx',
  'payment/**',
  'shell/no-shop.tsx',
  'shell/resting.tsx',
  'shop/consent.tsx',
  'shop/day-title.tsx',
  'shop/hand-chain.tsx',
  'shop/service-points.tsx',
  'shop/service-points-sheet.tsx',
  'shop/shop-contact.tsx',
  'shop/questions.tsx',
  'shop/terms.tsx',
].map((path) => `<rootDir>/customer/src/${path}`);

/** Parts of client and ui that no app shows first: their sentences stand in the catalogues of the apps that show them. */
const sharedEntry = '<rootDir>/client/src/entry';
const consentSheet = '<rootDir>/ui/src/components/consent-sheet.tsx';
const retryOptions = '<rootDir>/client/src/retry-options.tsx';
const sharedProfile = '<rootDir>/client/src/profile';
const sharedReceipt = '<rootDir>/client/src/receipt';
const nextUse = '<rootDir>/client/src/next-use.ts';

/** What the back office says before anybody has signed in. */
const officeEntry = ['features/entry/login-page.tsx', 'shell/area-frame.tsx', 'shell/preferences.tsx'].map(
  (path) => `<rootDir>/backoffice/src/${path}`,
);

/**
 * One catalogue per app, and one for what all of them say (ui and client). An app's are in two, so that the first script does not grow
 * with each screen (tooling/first-load.mjs): what the market and a package say, an agent's home, and what is said before signing in to the back office,
 * comes with that script, the rest with the first screen that is gone to.
 * English is the source; Thai is required, and no locale falls back on another.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'th'],
  fallbackLocales: false,
  rootDir: '.',
  catalogs: [
    {
      path: '<rootDir>/client/src/locales/{locale}',
      include: ['<rootDir>/client/src', '<rootDir>/ui/src'],
      exclude: ['**/client/src/{faults,entry,profile,receipt}/**', consentSheet, retryOptions, nextUse],
    },
    { path: '<rootDir>/client/src/faults/locales/{locale}', include: ['<rootDir>/client/src/faults'] },
    {
      path: '<rootDir>/customer/src/locales/{locale}',
      include: ['<rootDir>/customer/src'],
      exclude: ['**/features/!(market|package)/**', ...laterSentences],
    },
    {
      path: '<rootDir>/customer/src/features/locales/{locale}',
      include: [
        '<rootDir>/customer/src/features',
        ...laterSentences,
        sharedEntry,
        consentSheet,
        sharedProfile,
        sharedReceipt,
        retryOptions,
        nextUse,
      ],
      exclude: ['**/features/market/!(filter-form).tsx', '**/features/package/**'],
    },
    {
      path: '<rootDir>/agent/src/locales/{locale}',
      include: ['<rootDir>/agent/src', sharedEntry, consentSheet],
      exclude: ['**/agent/src/features/{register,profile,history,payouts}/**', '**/agent/src/application/**'],
    },
    {
      path: '<rootDir>/agent/src/features/locales/{locale}',
      include: [
        ...['features/register', 'features/profile', 'features/history', 'features/payouts', 'application'].map(
          (one) => `<rootDir>/agent/src/${one}`,
        ),
        sharedProfile,
      ],
    },
    {
      path: '<rootDir>/backoffice/src/locales/{locale}',
      include: [...officeEntry, sharedEntry],
    },
    {
      path: '<rootDir>/backoffice/src/features/locales/{locale}',
      include: ['<rootDir>/backoffice/src', retryOptions, sharedReceipt, nextUse],
      exclude: officeEntry,
    },
  ],
  format: formatter({ lineNumbers: false }),
});
