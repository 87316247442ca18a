// @vitest-environment node
import { expect, it } from 'vitest';
import { stepAt } from '../../live/step.ts';
import { codeText, typedText } from './code.ts';

const input = {
  session: '0193a5c2-7b1e-7000-8000-0123456789ab',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  organisation: 'b3Jn1Q',
};

it('makes the code that the server checks', async () => {
  // Independently: printf 'V1.b3Jn1Q.AZOlwnsecACAAAEjRWeJqw.59840761' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
  expect(await codeText(input, 59840761)).toBe('V1.b3Jn1Q.AZOlwnsecACAAAEjRWeJqw.59840761.rT6hE0_Y5wuZwnu9fp_7tw');
});

it('makes the typed code that the server checks', async () => {
  // The same stands in tenants/voucher/voucher_test.go.
  expect(await typedText('RK7', input, 59840761)).toBe('RK7HSEXW');
  expect(await typedText('RK7', input, 59840762)).not.toBe('RK7HSEXW');
});

it('changes the code with the time step and with the organisation', async () => {
  const now = await codeText(input, 1);
  expect(await codeText(input, 2)).not.toBe(now);
  expect(await codeText({ ...input, organisation: 'c2F0aG' }, 1)).not.toBe(now);
});

it('has time steps of 30 seconds', () => {
  expect(stepAt(59_999)).toBe(1);
  expect(stepAt(60_000)).toBe(2);
});
