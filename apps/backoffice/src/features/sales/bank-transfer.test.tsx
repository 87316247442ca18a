import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const transfer = (record: object = {}, rest: object = {}) => ({
  record: {
    id: 't1',
    made_at: '2026-11-20T12:02:00Z',
    state: 'approved',
    due_at: '2099-12-05T12:02:00Z',
    number: 'RRRRR55555',
    order_id: 'o1',
    order_number: 'ABCDE12345',
    customer_id: 'c1',
    customer_name: 'Kamon',
    amount_satang: 475_50,
    bank: '004',
    account_digits: '7890',
    reference: '',
    sent_at: null,
    sent_by_name: '',
    ended_at: null,
    done_at: null,
    run_id: null,
    run_number: '',
    ...record,
  },
  account: { bank: '004', number: '1234567890', name: 'Kamon Jaidee', at: '2026-11-20T12:02:00Z' },
  failure: '',
  failed_by_name: '',
  in_run: false,
  approval_id: null,
  ...rest,
});

const sent = { state: 'sent', reference: 'KB-1', sent_at: '2026-11-21T03:00:00Z', sent_by_name: 'Nat' };

const office = (story: () => object, calls: object = {}) =>
  renderOffice('/owner/banktransfer/t1', { answers: { '/api/owner/story/banktransfer': story, ...calls } as never });

it('shows where it goes, and asks a second person once somebody has said that it was transferred', async () => {
  let asked = false;
  const { calls } = await office(() => (asked ? transfer(sent, { approval_id: 'a1' }) : transfer()), {
    '/api/owner/banktransfer/ask': () => {
      asked = true;
      return transfer(sent, { approval_id: 'a1' });
    },
  });
  await screen.findByText('Kasikornbank');
  screen.getByText('1234567890');
  screen.getByText('Kamon Jaidee');
  screen.getByText('475.50');
  await userEvent.click(screen.getByRole('button', { name: 'I have transferred it' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Ask to confirm it' }));
  await screen.findByText('Please fill this in');
  await userEvent.type(screen.getByRole('textbox', { name: 'Bank reference' }), ' KB-1 ');
  await userEvent.click(screen.getByRole('button', { name: 'Ask to confirm it' }));
  const waits = await screen.findByRole('link', { name: 'See where it waits' });
  expect(waits.getAttribute('href')).toBe('/owner/approval/a1');
  expect(screen.queryByRole('button', { name: 'It came back' })).toBeNull();
  expect(calls('/api/owner/banktransfer/ask').map(({ body }) => body)).toEqual([
    { id: 't1', outcome: 'done', reference: 'KB-1', note: '' },
  ]);
});

it('puts what cannot be transferred into the wallet, or says what somebody else has done meanwhile', async () => {
  let is = 'approved';
  const failed = { state: 'failed', ended_at: '2026-11-21T03:00:00Z' };
  const stories = {
    approved: transfer(),
    sent: transfer(sent, { approval_id: 'a1' }),
    failed: transfer(failed, { failure: 'No such account', failed_by_name: 'Nat' }),
  };
  const { calls } = await office(() => stories[is as keyof typeof stories], {
    '/api/owner/banktransfer/fail': () => {
      if (is === 'approved') {
        is = 'sent';
        return new Refusal(409, 'banktransfer.sent');
      }
      is = 'failed';
      return stories.failed;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'It cannot be transferred' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Why?' }), 'No such account');
  await userEvent.click(screen.getByRole('button', { name: 'Put it into the Wallet' }));
  await screen.findByText(/Somebody has said that this was transferred/);
  await screen.findByText('See where it waits');
  await userEvent.click(screen.getByRole('button', { name: 'Put it into the Wallet' }));
  await screen.findByText('No such account · Nat');
  expect(calls('/api/owner/banktransfer/fail').map(({ body }) => body)).toEqual([
    { id: 't1', reason: 'No such account' },
    { id: 't1', reason: 'No such account' },
  ]);
});

it('has two people say that what was transferred came back', async () => {
  const { calls } = await office(() => transfer(sent), {
    '/api/owner/banktransfer/ask': () => transfer(sent, { approval_id: 'a2' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'It came back' }));
  await screen.findByText(/once a second person has confirmed that it came back/);
  await userEvent.type(screen.getByRole('textbox', { name: 'Why?' }), 'Closed account');
  await userEvent.click(screen.getByRole('button', { name: 'Ask to confirm it' }));
  expect(calls('/api/owner/banktransfer/ask').map(({ body }) => body)).toEqual([
    { id: 't1', outcome: 'failed', reference: '', note: 'Closed account' },
  ]);
});

it('has two people say that what they had confirmed came back', async () => {
  const { calls } = await office(() => transfer({ ...sent, state: 'done', ended_at: '2026-11-21T04:00:00Z' }), {
    '/api/owner/banktransfer/ask': () => transfer(sent, { approval_id: 'a3' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'It came back' }));
  expect(screen.queryByRole('button', { name: 'I have transferred it' })).toBeNull();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Why?' }), 'Closed account');
  await userEvent.click(screen.getByRole('button', { name: 'Ask to confirm it' }));
  expect(calls('/api/owner/banktransfer/ask').map(({ body }) => body)).toEqual([
    { id: 't1', outcome: 'failed', reference: '', note: 'Closed account' },
  ]);
});

it('leads to the run that transfers it, and until that is booked lets people transfer it by hand', async () => {
  const run = { run_id: 'r4', run_number: 'PO0004' };
  await office(() => transfer(run));
  await screen.findByText(/A run of payouts has it too/);
  screen.getByRole('button', { name: 'I have transferred it' });
});

it('says what became of a transfer in its run once that is booked', async () => {
  await office(() => transfer({ run_id: 'r4', run_number: 'PO0004' }, { in_run: true }));
  await screen.findByRole('heading', { name: 'It is in a run of payouts' });
  const links = screen.getAllByRole('link', { name: 'PO0004' });
  expect(links[0]?.getAttribute('href')).toBe('/owner/paycommissiontransaction/r4');
  expect(screen.queryByRole('button', { name: 'I have transferred it' })).toBeNull();
});

it('keeps no account of who was erased', async () => {
  await office(() =>
    transfer(
      { state: 'done', ended_at: '2026-11-22T03:00:00Z', account_digits: '' },
      { account: { bank: '004', number: '', name: '', at: '2026-11-20T12:02:00Z' } },
    ),
  );
  await screen.findByText(/the number and the name are not kept/);
  expect(screen.queryByRole('button', { name: 'I have transferred it' })).toBeNull();
});
