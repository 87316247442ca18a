import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderOffice } from '../test/render-office.ts';

const ann = { id: 'c1', displayName: 'Ann', status: 5, agent: false, created_at: '2026-11-20T10:00:00Z' };
const customer = {
  record: ann,
  sales: null,
  visits: null,
  in_hand: null,
  consents: [],
  agent_id: null,
  events_more: false,
};

/** The titles and lines of events as the record of their customer shows them, the first first. */
async function wordsOf(...events: object[]) {
  const nothing = {
    ...{ id: '', record_id: '', record_table: 'voucher', record_name: '', name_th: '', name_en: '', unit: '' },
    ...{ items: 0, amount_satang: 0, service_point_name_th: '', service_point_name_en: '', person: '', reason: '' },
  };
  const shown = events.map((event, i) => ({ ...nothing, id: `e${i}`, at: `2026-11-20T10:${i + 10}:00Z`, ...event }));
  await renderOffice('/owner/customerlist/c1', {
    answers: { '/api/owner/story/customer': () => ({ ...customer, events: shown }) },
  });
  const list = within(await screen.findByRole('list', { name: 'What happened' }));
  return list.getAllByRole('listitem').map((item) =>
    [...item.querySelectorAll('p')]
      .map((line) => line.textContent?.trim())
      .filter(Boolean)
      .join(' | '),
  );
}

const offer = { record_table: 'boardtransaction', record_id: 'f1', record_name: 'Massage' };
const voucher = {
  record_table: 'voucher',
  record_id: 'v1',
  record_name: 'VC1',
  name_en: 'Massage',
  unit: 'item',
  items: 2,
};

it('tells on a record what was offered, sold and bought, with the price of the offer', async () => {
  expect(
    await wordsOf(
      { ...voucher, kind: 'offered', amount_satang: 900_00 },
      { ...voucher, kind: 'sold', person: 'Bob', amount_satang: 900_00 },
      { ...voucher, kind: 'resold', person: 'Ann', amount_satang: 450_00 },
      { ...voucher, kind: 'split' },
    ),
  ).toEqual([
    'Offered VC1 for resale | VC1 · Price of the offer: ฿900.00',
    'Sold VC1 to Bob on the board | VC1 · Price of the offer: ฿900.00',
    'Bought VC1 from another customer | VC1 · Price of the offer: ฿450.00',
    '2 times of VC1 became a voucher of their own, to be given or sold on | VC1',
  ]);
});

it('tells how an offer ended that nobody bought, and where the money of one went that was paid too late', async () => {
  expect(
    await wordsOf(
      { ...offer, kind: 'off_sale', reason: 'cancelled' },
      { ...offer, kind: 'off_sale', reason: 'ended' },
      { ...offer, kind: 'off_sale', reason: 'stopped' },
      { ...offer, kind: 'off_sale', reason: 'stopped_by_shop', person: 'Nat' },
      {
        ...{ record_table: 'depositqrtransaction', record_id: 'p1', record_name: 'TU1' },
        ...{ kind: 'captured', reason: 'offer', amount_satang: 900_00 },
      },
    ),
  ).toEqual([
    'The offer was cancelled Massage | Nothing was paid',
    'Nobody bought it in time Massage | Nothing was paid',
    'The offer was stopped, because money for one of its vouchers was asked back Massage | Nothing was paid',
    'The shop stopped the offer Massage | Nothing was paid · stopped by Nat',
    '฿900.00 came into the wallet TU1 | The offer was not bought: the money went to the wallet',
  ]);
});

it('tells of a use to which somebody objected what is held, who decided, and what was issued for it', async () => {
  expect(
    await wordsOf(
      { ...voucher, kind: 'objected', person: 'Ann', amount_satang: 184_00 },
      { ...voucher, kind: 'stands', person: 'Nat' },
      { ...voucher, kind: 'undone' },
      { ...voucher, kind: 'issued_anew' },
    ),
  ).toEqual([
    'Ann says: it was not me | VC1 · ฿184.00 of it is held',
    'The shop lets the use stand | VC1 · decided by Nat',
    'Use undone: 2 times became a new voucher | VC1',
    'Issued for a use that was undone: 2 times of VC1 | VC1',
  ]);
});
