import { test as base } from '@playwright/test';

/** A test of Playwright's, after which the browsers' windows that it opened are closed: an open page goes on working. */
export const test = base.extend<{ closed: undefined }>({
  closed: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
