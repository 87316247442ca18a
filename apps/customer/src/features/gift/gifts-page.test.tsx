import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const gift = (rest: object) => ({
  id: 'g1',
  state: 'open',
  given: true,
  people: 1,
  takers: [],
  card: 'thanks',
  person: '',
  to_name: '',
  words: '',
  digits: '',
  ref: '',
  created_at: '2026-11-21T07:20:00Z',
  expires_at: '2026-11-28T17:00:00Z',
  days: 7,
  may_extend: false,
  opened_at: null,
  ended_at: null,
  thanked_at: null,
  contents: [
    {
      voucher_id: null,
      kind: 'item',
      name_th: 'นวด',
      name_en: 'Massage',
      picture: null,
      items: 1,
      valid_until: '2027-06-30',
    },
  ],
  ...rest,
});

const page = (...data: object[]) =>
  renderPage('/user/gifts', {
    '/api/user/transfer/list': () => ({ data }),
    '/api/user/consent/open': () => ({ data: [] }),
  });

it('lists what was given and what was received', async () => {
  await page(
    gift({ to_name: 'Mum' }),
    gift({ id: 'g2', state: 'claimed', person: 'Nok', ended_at: '2026-11-22T03:00:00Z' }),
    gift({ id: 'g3', state: 'claimed', given: false, person: 'Nattakan', ended_at: '2026-11-23T03:00:00Z' }),
  );
  const rows = await screen.findAllByRole('link', { name: /Massage/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/user/gift/g1', '/user/gift/g2', '/user/gift/g3']);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/You gave it to Mum.*21\/11\/2026.*Not opened yet/),
    expect.stringMatching(/You gave it to Nok.*Received/),
    expect.stringMatching(/From Nattakan.*23\/11\/2026.*Received/),
  ]);
});

it('says that there is none yet', async () => {
  await page();
  await screen.findByRole('heading', { name: 'No gifts yet' });
});
