import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { voucherStory as story } from '../../test/voucher-story.ts';

const freeze = {
  id: 'f1',
  reason: 'Sold twice, waiting for the branch.',
  frozen_at: '2026-11-20T12:02:00Z',
  frozen_by: 'Tom',
  ended_at: null,
  released_by: '',
  days: 2,
};

const held = (rest: object = {}) => story({ state: 'frozen', frozen_because: 'shop' }, { freezes: [freeze], ...rest });

it('puts a voucher on hold with a reason, and lifts the hold again', async () => {
  let now = story({ state: 'on_sale' });
  const { calls } = await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => now,
      '/api/owner/voucher/freeze': () => {
        now = held();
        return {};
      },
      '/api/owner/voucher/release': () => {
        now = story({}, { freezes: [{ ...freeze, ended_at: '2026-11-22T03:00:00Z', released_by: 'Nat' }] });
        return {};
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Put on hold' }));
  screen.getByText(/^Kamon cannot use, give or sell it until you lift the hold/);
  screen.getByText(/^Its offer leaves the board\./);
  const confirm = () => screen.getAllByRole('button', { name: 'Put on hold' }).at(-1) as HTMLButtonElement;
  expect(confirm().disabled).toBe(true);
  await userEvent.type(screen.getByLabelText(/Why\?/), ' Sold twice ');
  await userEvent.click(confirm());
  await waitFor(() => expect(calls('/api/owner/voucher/freeze')[0]?.body).toEqual({ id: 'v1', reason: 'Sold twice' }));
  await screen.findByText('On hold by the shop, it cannot be used');
  screen.getByText('Sold twice, waiting for the branch.');
  screen.getByText(/2 days would be added/);

  await userEvent.click(screen.getByRole('button', { name: 'Lift the hold' }));
  screen.getByText(/^Kamon can use it again at once/);
  await userEvent.click(screen.getAllByRole('button', { name: 'Lift the hold' }).at(-1) as HTMLElement);
  await waitFor(() => expect(calls('/api/owner/voucher/release')[0]?.body).toEqual({ id: 'v1' }));
  await screen.findByText('On hold by the shop before');
  screen.getByText(/2 days added/);
});

it('says that money holds it still when the shop lifts its own hold', async () => {
  await renderOffice('/owner/voucherlist/v1', {
    answers: { '/api/owner/story/voucher': () => held({ frozen_for: 'dispute' }) },
  });
  await screen.findByText('On hold by the shop, it cannot be used');
  screen.getByText(/^The payer's bank holds back the money/);
  await userEvent.click(screen.getByRole('button', { name: 'Lift the hold' }));
  screen.getByText(/^It stays on hold until the money that was asked back is settled\./);
});

it('shows who was first when somebody else has put it on hold meanwhile', async () => {
  let now = story();
  await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => now,
      '/api/owner/voucher/freeze': () => {
        now = held();
        return new Refusal(409, 'voucher.frozen_already');
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Put on hold' }));
  await userEvent.type(screen.getByLabelText(/Why\?/), 'Sold twice');
  await userEvent.click(screen.getAllByRole('button', { name: 'Put on hold' }).at(-1) as HTMLElement);
  await screen.findByText('The shop has put this voucher on hold already.');
  await screen.findByText('Sold twice, waiting for the branch.');
});

it.each(['used', 'expired', 'refunded', 'void'])('offers no hold of a voucher that is %s', async (state) => {
  await renderOffice('/owner/voucherlist/v1', { answers: { '/api/owner/story/voucher': () => story({ state }) } });
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('button', { name: /hold/ })).toBeNull();
});
