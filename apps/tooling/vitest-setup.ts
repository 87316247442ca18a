import { webcrypto } from 'node:crypto';
import { format } from 'node:util';
import { configure } from '@testing-library/react';
import { afterEach, expect } from 'vitest';

// A page's parts come one after the other, and are compiled as they come: the first ones of a file take some seconds where another file begins beside.
configure({ asyncUtilTimeout: 10_000 });

// jsdom's crypto has random values only.
Object.defineProperty(crypto, 'subtle', { value: webcrypto.subtle });

// An answer's objects are of the window's own kind in a browser; fetch is Node's here, and makes Node's.
Response.prototype.json = async function () {
  return JSON.parse(await this.text());
};

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
