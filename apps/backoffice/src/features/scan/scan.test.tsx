import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const point = { id: 'p1', name_th: 'นิมมาน', name_en: 'Nimman', address_th: '', address_en: '' };
const scan = {
  use_session_id: 'u1',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  kind: 'item',
  items: 1,
  items_left_after: 2,
  valid_until: '2027-03-31',
  customer_name: 'Nat',
  customer_picture_url: '',
  service_point_name_th: 'นิมมาน',
  service_point_name_en: 'Nimman',
  today: 3,
};
const used = {
  id: 'r1',
  at: '2026-11-21T07:22:00Z',
  name_th: 'นวด',
  name_en: 'Massage',
  kind: 'item',
  items: 1,
  items_left: 2,
  items_total: 3,
  customer_name: 'Nat',
  service_point_name_th: 'นิมมาน',
  service_point_name_en: 'Nimman',
  staff: 'Tom',
};
const points = { '/api/staff/get/service_point': () => ({ data: [point] }) };

it('takes a scanner’s code, waits for the button, and keeps the key on a second press', async () => {
  const user = userEvent.setup();
  let tries = 0;
  const { calls } = await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: {
      ...points,
      '/api/staff/voucher/verify': () => scan,
      '/api/staff/voucher/confirm': () => {
        tries += 1;
        return tries === 1 ? new Refusal(500, 'internal') : used;
      },
    },
  });
  expect(await screen.findByPlaceholderText('Type a code, or use a scanner')).toBe(document.activeElement);
  await user.keyboard('7K3M92XP{Enter}');

  expect(await screen.findByText('Good to use')).toBeTruthy();
  expect(calls('/api/staff/voucher/verify')[0]?.body).toEqual({ code: '7K3M92XP', service_point_id: 'p1' });
  expect(calls('/api/staff/voucher/confirm')).toHaveLength(0);

  await user.keyboard('{Enter}');
  await waitFor(() => expect(calls('/api/staff/voucher/confirm')).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: /Confirm:/ }));
  expect(await screen.findByRole('heading', { name: 'Used' })).toBeTruthy();
  expect(screen.getByText('2 of 3 times')).toBeTruthy();
  const keys = calls('/api/staff/voucher/confirm').map(({ headers }) => headers.get('Idempotency-Key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

it('looks for the next code by itself after a use, unless it is told to stay', async () => {
  const user = userEvent.setup();
  await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/voucher/verify': () => scan, '/api/staff/voucher/confirm': () => used },
  });
  const field = await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('7K3M92XP{Enter}');
  await screen.findByText('Good to use');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Used' });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Used' })).toBeNull(), { timeout: 4_000 });
  await waitFor(() => expect(document.activeElement).toBe(field));

  await user.keyboard('7K3M92XP{Enter}');
  await screen.findByText('Good to use');
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Stay on this page' }));
  await new Promise((waited) => setTimeout(waited, 2_500));
  screen.getByRole('heading', { name: 'Used' });
  await user.click(screen.getByRole('button', { name: 'Scan now' }));
  expect(screen.queryByRole('heading', { name: 'Used' })).toBeNull();
});

it('leaves a scan unused, and says so to the server', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/voucher/verify': () => scan, '/api/staff/voucher/verify/cancel': () => ({}) },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('7K3M92XP{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Cancel, scan another' }));
  expect(screen.queryByText('Good to use')).toBeNull();
  expect(calls('/api/staff/voucher/verify/cancel')[0]?.body).toEqual({ use_session_id: 'u1' });
  expect(calls('/api/staff/voucher/confirm')).toHaveLength(0);
});

it('shows a second scan the voucher and its earlier use, and Escape goes on', async () => {
  const user = userEvent.setup();
  await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: {
      ...points,
      '/api/staff/voucher/verify': () =>
        new Refusal(409, 'voucher.already_used', {
          detail: {
            code: 'RL-2M88-TX07',
            name_th: 'นวดหินร้อน',
            name_en: 'Hot stone massage',
            picture: null,
            at: '2026-11-19T09:05:00Z',
            service_point_name_th: 'ท่าแพ',
            service_point_name_en: 'Thapae',
            staff: 'Waraporn',
          },
        }),
    },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('AAAA{Enter}');
  expect(await screen.findByText('Already used')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Hot stone massage' })).toBeTruthy();
  expect(screen.getByText('RL-2M88-TX07')).toBeTruthy();
  expect(screen.getByText('Used on 19/11/2026 at 16:05')).toBeTruthy();
  expect(screen.getByText('Thapae · confirmed by Waraporn')).toBeTruthy();

  await user.keyboard('{Escape}');
  expect(await screen.findByPlaceholderText('Type a code, or use a scanner')).toBe(document.activeElement);
});

it('stays at the camera when the server limits the scans', async () => {
  const user = userEvent.setup();
  await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/voucher/verify': () => new Refusal(429, 'rate.limited') },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('BBBB{Enter}');
  expect(await screen.findByText('That was many times in a row. Please try again a little later.')).toBeTruthy();
  expect(screen.getByPlaceholderText('Type a code, or use a scanner')).toBeTruthy();
});

it('lists what a partner earns of a day', async () => {
  const use = {
    id: 'u1',
    at: '2026-11-21T05:00:00Z',
    partner_name_th: 'ร้านพี่แดง',
    partner_name_en: "Daeng's",
    name_th: 'นวด',
    name_en: 'Massage',
    kind: 'item',
    items: 2,
    state: 'open',
    due_satang: 0,
  };
  await renderOffice('/staff/partnerticketcommissiontransaction?day=2026-11-21', {
    signedIn: 'staff',
    answers: {
      ...points,
      '/api/staff/get/partnercommission': () => ({
        data: [use, { ...use, id: 'u2', state: 'mature', due_satang: 52_20 }],
        next: null,
        due_satang: 52_20,
      }),
    },
  });
  await screen.findByRole('heading', { name: "Partner's commission on 21/11/2026" });
  await screen.findByText('Commission of this day');
  screen.getByText("Daeng's · The customer objects to it");
  screen.getByText("Daeng's · Final");
});

it('lists the uses of any day, which the address says', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/staff/activevouchertransaction', {
    signedIn: 'staff',
    answers: {
      ...points,
      '/api/staff/get/activevoucher': ({ day }: { day?: string }) => ({ data: day ? [used] : [], next: null }),
    },
  });
  await screen.findByText('Nobody has come yet today');
  const day = screen.getByLabelText('Day');
  await user.clear(day);
  await user.type(day, '21/11/2026');

  await screen.findByRole('heading', { name: 'Used on 21/11/2026' });
  await screen.findByText('Massage');
  expect(calls('/api/staff/get/activevoucher').at(-1)?.body).toEqual({ service_point_id: 'p1', day: '2026-11-21' });
});

const seen = {
  presence_id: 's1',
  until: '2999-11-21T07:27:00Z',
  name: 'ณัฐกานต์ วงศ์สว่าง',
  pictureUrl: '',
  number: 'RLM00482216',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  level: 3,
  ends_on: '2999-02-11',
  mobile_digits: '4471',
  vouchers: [
    {
      id: 'v1',
      code: 'RL7K42QP91',
      name_th: 'นวดอโรมา',
      name_en: 'Aroma massage',
      picture: null,
      kind: 'item',
      items_left: 2,
      items_total: 3,
      valid_until: '2999-03-31',
    },
  ],
};

it.each(['M1.P53Zko.AZCgyAAAcACAAAAAAAAAAg.59841600.g_Fv698GyKaRJ0PD_rY7gw', 'rlm 0048 2216 589158'])(
  'shows who stands here for the code of a member’s card: %s',
  async (code) => {
    const user = userEvent.setup();
    const { calls } = await renderOffice('/staff/scanqrcode', {
      signedIn: 'staff',
      answers: { ...points, '/api/staff/member/scan': () => seen },
    });
    await screen.findByPlaceholderText('Type a code, or use a scanner');
    await user.keyboard(`${code}{Enter}`);
    await screen.findByRole('heading', { name: 'ณัฐกานต์ วงศ์สว่าง' });
    screen.getByText('RLM 0048 2216');
    screen.getByText('Mobile ending in 4471');
    screen.getByText('Aroma massage');
    screen.getByText('2 of 3 left');
    expect(calls('/api/staff/member/scan')[0]?.body).toEqual({ code, service_point_id: 'p1' });
    expect(calls('/api/staff/voucher/verify')).toHaveLength(0);

    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByText('RLM 0048 2216')).toBeNull());
  },
);

it('says why the code of a card was not taken, and goes on', async () => {
  const user = userEvent.setup();
  await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/member/scan': () => new Refusal(409, 'presence.replayed') },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('M1.x{Enter}');
  await screen.findByText('This code has been scanned already. Wait for the next one.');
});

const found = {
  name: 'ณัฐกานต์ วงศ์สว่าง',
  pictureUrl: '',
  number: 'RLM00482216',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  level: 3,
  ends_on: null,
  mobile_digits: '4471',
  state: 'active',
};

it('finds who has a mobile number, also two of one family, and says what only a shown card brings', async () => {
  const user = userEvent.setup();
  const sister = { ...found, name: 'กมล วงศ์สว่าง', number: 'RLM00482224', state: 'suspended' };
  const { calls } = await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/member/find': () => ({ data: [found, sister] }) },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('089-555 4471{Enter}');
  await screen.findByRole('heading', { name: '2 members' });
  screen.getByText('RLM 0048 2216');
  screen.getByText('Suspended');
  screen.getByText(/Ask the member to open the card/);
  expect(calls('/api/staff/member/find')[0]?.body).toEqual({ number: '089-555 4471', service_point_id: 'p1' });
});

it('says that nobody has a number', async () => {
  const user = userEvent.setup();
  await renderOffice('/staff/scanqrcode', {
    signedIn: 'staff',
    answers: { ...points, '/api/staff/member/find': () => new Refusal(404, 'member.nobody') },
  });
  await screen.findByPlaceholderText('Type a code, or use a scanner');
  await user.keyboard('rlm00482217{Enter}');
  await screen.findByText('No member has this number.');
});
