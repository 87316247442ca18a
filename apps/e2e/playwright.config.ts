import { defineConfig, devices } from '@playwright/test';

/** The whole platform with its demo organisations, on a port and in a folder of the tests' own; E2E_PORT moves it. */
const port = Number(process.env.E2E_PORT ?? 8400);

export default defineConfig({
  testDir: '.',
  testMatch: process.env.SCREENSHOTS ? 'screenshots.ts' : '*.spec.ts',
  outputDir: '../test-results',
  // More than half of a test's time is waiting. Tests of one file follow each other; a walk that takes pictures needs no other.
  workers: 3,
  fullyParallel: Boolean(process.env.SCREENSHOTS),
  timeout: 120_000, // alone a test takes up to one minute; three of them share two processors
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [['list']],
  globalSetup: './when-loaded.ts',
  globalTeardown: process.env.SCREENSHOTS ? './sheets.ts' : undefined,
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://localhost:${port}`,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    actionTimeout: 10_000,
    screenshot: 'only-on-failure', // --trace on says more, and takes a quarter longer
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--font-render-hinting=none',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
      ],
    },
  },
  webServer: {
    command: 'rm -rf .cache/e2e && go run ./tools/dev',
    cwd: '../..',
    env: { PORT: String(port), DEV_DATA: '.cache/e2e', LOG_LEVEL: 'warn' },
    url: `http://localhost:${port}/api/health`,
    timeout: 300_000,
    reuseExistingServer: !process.env.CI,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
});
