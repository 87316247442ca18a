import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const use = {
  id: 'u1',
  voucher_id: 'v1',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  kind: 'item',
  items: 1,
  items_left: 2,
  service_point_name_th: 'นิมมาน',
  service_point_name_en: 'Nimman',
  at: '2026-11-21T07:22:00Z',
  until: '2026-11-22T17:00:00Z',
  may_object: true,
  state: '',
  share_satang: 1096_67,
  made_at: null,
  due_at: null,
  decided_at: null,
  by_itself: false,
  answer: '',
  anew_id: null,
  anew_valid_until: null,
};

const open = {
  ...use,
  may_object: false,
  state: 'open',
  made_at: '2026-11-21T08:00:00Z',
  due_at: '2026-11-23T08:00:00Z',
};

const look = (answers: Record<string, unknown>) =>
  renderPage('/user/used/u1', { '/api/user/consent/open': () => ({ data: [] }), ...answers });

it('says what was used where and when, and takes a no after asking once more', async () => {
  let said = false;
  const server = await look({
    '/api/user/objection/use': () => (said ? open : use),
    '/api/user/objection/make': () => {
      said = true;
      return open;
    },
  });
  await screen.findByText('Nimman');
  await screen.findByText('14:22');
  await screen.findByText(/Then ฿1,096.67 of this use is held/);
  await screen.findByText('You can say so until 22/11/2026 23:59');
  await userEvent.click(screen.getByRole('button', { name: 'It was not me' }));
  expect(server.calls('/api/user/objection/make')).toHaveLength(0);
  await userEvent.click(screen.getAllByRole('button', { name: 'It was not me' }).at(-1) as HTMLElement);
  await screen.findByText('We have received it');
  await screen.findByText(/The shop answers by 23\/11\/2026 15:00/);
  expect(server.calls('/api/user/objection/make').map(({ body }) => body)).toEqual([{ id: 'u1' }]);
  expect(screen.queryByRole('button', { name: 'It was not me' })).toBeNull();
});

it('names no sum to who was given the voucher', async () => {
  await look({ '/api/user/objection/use': () => ({ ...use, share_satang: 0 }) });
  await screen.findByText(/Then the money of this use is held/);
});

it('is to be read only once the day is over', async () => {
  await look({ '/api/user/objection/use': () => ({ ...use, may_object: false }) });
  await screen.findByText('This use counts as yours');
  expect(screen.queryByRole('button', { name: 'It was not me' })).toBeNull();
});

it('says why it was refused, and looks again', async () => {
  let over = false;
  await look({
    '/api/user/objection/use': () => ({ ...use, may_object: !over }),
    '/api/user/objection/make': () => {
      over = true;
      return new Refusal(409, 'objection.too_late');
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'It was not me' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'It was not me' }).at(-1) as HTMLElement);
  await screen.findByText('This use counts as yours');
});

it('says how the shop decided, and leads to what came back', async () => {
  await look({
    '/api/user/objection/use': () => ({
      ...open,
      state: 'undone',
      answer: 'It was another phone.',
      anew_id: 'v9',
      anew_valid_until: '2026-12-31',
    }),
  });
  await screen.findByText('You have it back: 1 time');
  await screen.findByText('The shop says: “It was another phone.”');
  const link = screen.getByRole('link', { name: 'Open the new voucher' });
  await waitFor(() => expect(link.getAttribute('href')).toBe('/user/activevoucher/v9'));
});

it('says that the use stands', async () => {
  await look({ '/api/user/objection/use': () => ({ ...open, state: 'stands' }) });
  await screen.findByText('The shop confirms the use');
});
