import { defineConfig } from 'vitest/config';
import { plugins } from './tooling/vite.ts';

export default defineConfig({
  plugins: plugins(),
  test: {
    environment: 'jsdom',
    setupFiles: ['./tooling/vitest-setup.ts'],
    include: ['{ui,client,customer,agent,backoffice}/src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    testTimeout: 40_000,
    // One for each processor of the smallest machine: without a number one of them is left free, and that is half.
    maxWorkers: 2,
  },
});
