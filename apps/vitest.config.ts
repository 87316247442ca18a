import { defineConfig } from 'vitest/config';
import { plugins } from './tooling/vite.ts';

export default defineConfig({
  plugins: plugins(),
  test: {
    environment: 'jsdom',
    setupFiles: ['./tooling/vitest-setup.ts'],
    include: ['{ui,client,customer,agent,backoffice}/src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Each file has a window and modules of its own, in a context of one process: a process for each loads jsdom anew, which with
    // everything else is two fifths of what the tests cost.
    pool: 'vmThreads',
    // Its CommonJS form requires an ES module, which a context cannot.
    alias: [{ find: /^recharts$/, replacement: 'recharts/es6/index.js' }],
    server: { deps: { inline: ['recharts'] } },
    testTimeout: 40_000,
    // One for each processor of the smallest machine: without a number one of them is left free, and that is half.
    maxWorkers: 2,
  },
});
