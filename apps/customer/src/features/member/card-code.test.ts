// @vitest-environment node
import { expect, it } from 'vitest';
import { cardCode } from './card-code.ts';

const key = {
  id: '0190a0c8-0000-7000-8000-000000000002',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  organisation_tag: 'P53Zko',
  expires_at: '2026-11-28T00:00:00Z',
  server_time: '2026-11-21T00:00:00Z',
};

it('makes the codes that the server checks', async () => {
  // The same stand in tenants/presence/code_test.go.
  expect(await cardCode(key, 59841600)).toEqual({
    qr: 'M1.P53Zko.AZCgyAAAcACAAAAAAAAAAg.59841600.g_Fv698GyKaRJ0PD_rY7gw',
    digits: '589158',
  });
  expect(await cardCode(key, 59841601)).not.toEqual(await cardCode(key, 59841600));
});
