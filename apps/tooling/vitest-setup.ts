import { format } from 'node:util';
import { afterEach, expect } from 'vitest';

// A test fails with what React or a library complains of on the console while it runs. A test that brings an error about on
// purpose says so: vi.spyOn(console, 'error').mockReturnValue().
const said: string[] = [];
for (const level of ['error', 'warn'] as const) {
  console[level] = (...args: unknown[]) => {
    said.push(format(...args));
  };
}

afterEach(() => {
  expect(said.splice(0)).toEqual([]);
});
