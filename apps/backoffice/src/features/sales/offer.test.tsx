import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const sold = {
  record: {
    id: 'f1',
    created_at: '2026-11-20T10:00:00Z',
    state: 'sold',
    name_th: 'นวด',
    name_en: 'Massage',
    kind: 'item',
    items: 3,
    vouchers: 1,
    price_satang: 900_05,
    royalty_satang: 18_00,
    fee_satang: 27_00,
    seller_id: 'c1',
    seller_name: 'Ann',
    buyer_id: 'c2',
    buyer_name: 'Bob',
    number: 'RC12345678',
    expires_at: '2099-12-20T17:00:00Z',
    ended_at: '2026-11-21T10:00:00Z',
    stopped_by_shop: false,
    reports: 0,
    reported: false,
    report_reasons: '',
  },
  vouchers: [
    {
      id: 'v1',
      code: 'VC1',
      line_position: 0,
      name_th: 'นวด',
      name_en: 'Massage',
      kind: 'item',
      state: 'ready',
      items_total: 3,
      items_left: 3,
      is_slice: false,
      holder_id: 'c2',
      holder_name: 'Bob',
    },
  ],
  events: [event('resold', 'Bob', 900_05, '2026-11-21T10:00:00Z'), event('offered', 'Ann', 900_05)],
  events_more: false,
};

function event(kind: string, person: string, amount_satang: number, at = '2026-11-20T10:00:00Z', reason = '') {
  return {
    id: kind,
    kind,
    at,
    record_table: 'boardtransaction',
    record_id: 'f1',
    record_name: '',
    name_th: '',
    name_en: '',
    unit: '',
    items: 0,
    amount_satang,
    service_point_name_th: '',
    service_point_name_en: '',
    person,
    reason,
  };
}

const open = {
  ...sold,
  record: { ...sold.record, state: 'open', buyer_id: null, buyer_name: '', number: '', ended_at: null },
  events: [event('offered', 'Ann', 900_05)],
};

it('says who sold what to whom, and who got what of the price', async () => {
  await renderOffice('/owner/boardtransaction/f1', { answers: { '/api/owner/story/boardtransaction': () => sold } });
  const money = within(
    (await screen.findByRole('heading', { name: 'Who got what' })).closest('[data-slot=card]') as HTMLElement,
  );
  const parts = money.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(parts).toEqual([
    ["The seller's Wallet", '855.05'],
    ['The shop', '18.00'],
    ['The platform', '27.00'],
  ]);
  expect(screen.getByRole('link', { name: 'Ann' }).getAttribute('href')).toBe('/owner/customerlist/c1');
  expect(screen.getByRole('link', { name: 'Bob' }).getAttribute('href')).toBe('/owner/customerlist/c2');
  expect(screen.getByRole('link', { name: 'VC1' })).toBeTruthy();
  expect(screen.getAllByText('RC12345678').length).toBeGreaterThan(0);
  const happened = within(screen.getByRole('list', { name: 'What happened' }));
  happened.getByText('Bought by Bob for ฿900.05');
  happened.getByText('Offered by Ann for ฿900.05');
  expect(screen.queryByRole('button', { name: 'Stop the offer' })).toBeNull();
});

it('stops an open offer after it was asked, and shows how it went if somebody was faster', async () => {
  const user = userEvent.setup();
  let over = false;
  const { calls } = await renderOffice('/owner/boardtransaction/f1', {
    answers: {
      '/api/owner/story/boardtransaction': () => (over ? sold : open),
      '/api/owner/boardtransaction/stop': () => {
        over = true;
        return new Refusal(409, 'offer.over', { detail: { state: 'sold' } });
      },
    },
  });
  await screen.findByRole('heading', { name: 'Who gets what when it is sold' });
  await user.click(screen.getByRole('button', { name: 'Stop the offer' }));
  const question = within(await screen.findByRole('dialog', { name: 'Stop this offer?' }));
  question.getByText(/nothing was paid\. It leaves the board, and Ann can use the voucher again at once\./);
  expect(calls('/api/owner/boardtransaction/stop')).toHaveLength(0);
  await user.click(question.getByRole('button', { name: 'Stop the offer' }));
  await waitFor(() => expect(calls('/api/owner/boardtransaction/stop')[0]?.body).toEqual({ id: 'f1' }));
  await screen.findByRole('heading', { name: 'Who got what' });
});

it('has no money of an offer that nobody bought', async () => {
  const stopped = {
    ...open,
    record: { ...open.record, state: 'stopped', ended_at: '2026-11-21T10:00:00Z', stopped_by_shop: true },
    events: [event('off_sale', 'Nat', 0, '2026-11-21T10:00:00Z', 'stopped_by_shop'), ...open.events],
  };
  await renderOffice('/owner/boardtransaction/f1', {
    answers: { '/api/owner/story/boardtransaction': () => stopped },
  });
  const happened = within(await screen.findByRole('list', { name: 'What happened' }));
  happened.getByText('The shop stopped the offer');
  happened.getByText('Nothing was paid · stopped by Nat');
  expect(screen.queryByRole('heading', { name: /Who g/ })).toBeNull();
});

it('says how many reported it and why, and that its days are over before that is written down', async () => {
  const record = {
    ...open.record,
    expires_at: '2026-11-20T17:00:00Z',
    reports: 2,
    reported: true,
    report_reasons: 'outside,price',
  };
  await renderOffice('/owner/boardtransaction/f1', {
    answers: { '/api/owner/story/boardtransaction': () => ({ ...open, record }) },
  });
  await screen.findByRole('heading', { name: 'Reported by customers' });
  screen.getByText('The seller wants to be paid elsewhere');
  screen.getByText('The price is misleading');
  screen.getByText('Ended by itself');
  expect(screen.queryByRole('button', { name: 'Stop the offer' })).toBeNull();
});

it('offers no stopping to who may not change the state of vouchers', async () => {
  await renderOffice('/owner/boardtransaction/f1', {
    who: { permission: { boardtransaction: 'v', voucher: 'v' } },
    answers: { '/api/owner/story/boardtransaction': () => open },
  });
  await screen.findByRole('heading', { name: 'Who gets what when it is sold' });
  expect(screen.queryByRole('button', { name: 'Stop the offer' })).toBeNull();
});

it('leads from an empty list to the setting while the board is closed', async () => {
  await renderOffice('/owner/boardtransaction', {
    answers: { '/api/owner/setting/board/get': () => ({ open: false, fee_basis_points: 300 }) },
  });
  await screen.findByText('The board is closed: customers cannot sell vouchers on.');
  expect(screen.getByRole('link', { name: 'To the setting' }).getAttribute('href')).toBe('/owner/settingboard');
});

it('says no more than that nothing was offered while the board is open', async () => {
  const { calls } = await renderOffice('/owner/boardtransaction', {
    answers: { '/api/owner/setting/board/get': () => ({ open: true, fee_basis_points: 300 }) },
  });
  await screen.findByText('Nothing was offered yet');
  await waitFor(() => expect(calls('/api/owner/setting/board/get')).toHaveLength(1));
  expect(screen.queryByText(/The board is closed/)).toBeNull();
});

it('leads from a payment to the offer that it paid', async () => {
  const record = {
    id: 'w1',
    reference: 'PP77',
    purpose: 'offer',
    method: 'promptpay',
    state: 'captured',
    customer_id: 'c2',
    customer_name: 'Bob',
    amount_satang: 450_00,
    captured_satang: 450_00,
    fee_satang: 0,
    refunded_satang: 0,
    disputed_satang: 0,
    owed_satang: 0,
    created_at: '2026-11-18T08:20:00Z',
    captured_at: '2026-11-18T08:21:00Z',
    gateway_id: 'chrg_1',
  };
  const offer = { id: 'f1', state: 'sold', number: 'RS12', seller: 'Ann' };
  const story = {
    record,
    failure: '',
    late: false,
    credited: false,
    order: null,
    offer,
    cases: [],
    events: [],
    events_more: false,
  };
  await renderOffice('/owner/depositqrtransaction/w1', {
    answers: { '/api/owner/story/depositqrtransaction': () => story },
  });
  const link = await screen.findByRole('link', { name: 'RS12' });
  expect(link.getAttribute('href')).toBe('/owner/boardtransaction/f1');
  screen.getByText('Seller: Ann');
  screen.getByText('Sold');
});

it('shows in the list the state by which it is filtered', async () => {
  const over = { ...open.record, expires_at: '2026-11-20T17:00:00Z' };
  const { calls } = await renderOffice('/owner/boardtransaction?state=open', {
    answers: { '/api/owner/get/boardtransaction': () => ({ data: [over], total: 1 }) },
  });
  await screen.findAllByText('On sale');
  expect(calls('/api/owner/get/boardtransaction')[0]?.body).toMatchObject({ filter: { state: ['open'] } });
  expect(screen.queryByText('Ended by itself')).toBeNull();
});
