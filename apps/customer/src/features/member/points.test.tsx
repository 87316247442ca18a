import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { it } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const card = {
  number: 'LAM00482216',
  name: 'พิมพ์ชนก สุขใจ',
  state: 'active',
  since: '2026-11-21',
  card_type_id: 'c1',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  picture_id: null,
  level: 3,
  ends_on: null,
  next_ends_on: null,
  next: false,
  next_paid_satang: 0,
  credit_satang: 0,
  regret_until: null,
};

const member = { card, application: null, draft: {}, texts: [], purchase_texts: [], renews_from: null };
const noPoints = { points: 0, owed: 0, coming: 0, comes_on: null, baht: 0, lots: [], history: [] };

it('shows what a member has of points, what is coming, what lapses next and what became of them', async () => {
  const user = userEvent.setup();
  await renderPage('/user/member', {
    '/api/user/member/get': () => member,
    '/api/user/member/points': () => ({
      points: 1120,
      owed: 0,
      coming: 36,
      comes_on: '2026-11-28',
      baht: 25,
      lots: [
        { lapses_on: '2026-12-31', points: 131 },
        { lapses_on: '2027-10-31', points: 989 },
      ],
      history: [
        {
          id: 'm2',
          kind: 'taken_back',
          at: '2026-11-20T05:00:00Z',
          points: -24,
          after: 1120,
          bought_th: 'นวด',
          bought_en: 'Massage',
        },
        {
          id: 'm1',
          kind: 'granted',
          at: '2026-11-12T05:00:00Z',
          points: 36,
          after: 1144,
          bought_th: 'นวด',
          bought_en: 'Massage',
        },
      ],
    }),
  });
  await screen.findByText('1,120');
  screen.getByText('36 more are coming, the next on 28/11/2026');
  screen.getByText('131 points are good until 31/12/2026');
  screen.getByText('1 point for each 25 baht that you pay');
  screen.getByText('Refund of Massage');
  screen.getByText('−24');
  screen.getByText('+36');
  await user.click(screen.getByRole('button', { name: 'Stop being a member' }));
  await screen.findByText('Your 1,120 points lapse at once.');
});

it('says why points are owed', async () => {
  await renderPage('/user/member', {
    '/api/user/member/get': () => member,
    '/api/user/member/points': () => ({ ...noPoints, owed: 3, baht: 25 }),
  });
  await screen.findByText(/^3 points are still to be made up/);
});
