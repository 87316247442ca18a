import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const apps = ['customer', 'agent', 'backoffice'];

/**
 * One catalogue per app, and one for what all of them say (ui and client).
 * English is the source; Thai is required, and no locale falls back on another.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'th'],
  fallbackLocales: false,
  rootDir: '.',
  catalogs: [
    { path: '<rootDir>/client/src/locales/{locale}', include: ['<rootDir>/client/src', '<rootDir>/ui/src'] },
    ...apps.map((app) => ({ path: `<rootDir>/${app}/src/locales/{locale}`, include: [`<rootDir>/${app}/src`] })),
  ],
  format: formatter({ lineNumbers: false }),
});
