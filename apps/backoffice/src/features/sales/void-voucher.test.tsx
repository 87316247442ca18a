import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { voucherStory } from '../../test/voucher-story.ts';

const quote = (rest: object = {}) => ({
  customer_id: 'c1',
  customer_name: 'Kamon',
  paid_satang: 667_00,
  wallet_satang: 667_00,
  debt_satang: 0,
  payable_satang: 0,
  ends: '',
  ...rest,
});

const open = async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel this voucher' }));
  return user;
};

/** What can be done with the voucher of the page. */
async function offers(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'More' }));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}

it('says whose the money will be, needs a reason, and cancels it once', async () => {
  let now = voucherStory();
  const server = await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => now,
      '/api/owner/voucher/void/quote': () => quote({ wallet_satang: 600_00, debt_satang: 67_00, ends: 'gift' }),
      '/api/owner/voucher/void': () => {
        const by = { reason: 'Printed twice', made_at: '2026-11-20T12:02:00Z', made_by: 'Tom', wallet_satang: 600_00 };
        now = voucherStory({ state: 'void' }, { void: by });
        return {};
      },
    },
  });
  const user = await open();
  await screen.findByText("Into Kamon's Wallet");
  screen.getByText('To what is owed for it');
  screen.getByText('Its gift is stopped: the link no longer works.');
  const cancel = screen.getByRole('button', { name: 'Cancel for good' });
  expect(cancel).toHaveProperty('disabled', true);
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), ' Printed twice ');
  await user.click(cancel);
  await screen.findByText('Cancelled by the shop');
  screen.getByText('Printed twice');
  screen.getByText(/฿600.00 into the holder's wallet/);
  expect(server.calls('/api/owner/voucher/void')[0]?.body).toEqual({ id: 'v1', reason: 'Printed twice' });
  expect(await offers(user)).toEqual(['Give money back for a use']);
});

it('says why it is not possible any more', async () => {
  await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => voucherStory(),
      '/api/owner/voucher/void/quote': () => new Refusal(409, 'voucher.already_used'),
    },
  });
  await open();
  await screen.findByRole('alert');
  expect(screen.getByRole('button', { name: 'Cancel for good' })).toHaveProperty('disabled', true);
});

it('asks a second person for what is worth more than one may pay back', async () => {
  const server = await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => voucherStory({}),
      '/api/owner/voucher/void/quote': () => quote({ needs_second: true }),
      '/api/owner/voucher/void/ask': () => ({ approval_id: 'a1' }),
    },
  });
  const user = await open();
  await screen.findByText('A second person has to approve it');
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), 'Sold twice');
  await user.click(screen.getByRole('button', { name: 'Ask for it' }));
  await screen.findByText('Nothing moves until a second person has approved it.');
  expect(server.calls('/api/owner/voucher/void')).toEqual([]);
  expect(server.calls('/api/owner/voucher/void/ask')[0]?.body).toEqual({ id: 'v1', reason: 'Sold twice' });
});

it('is not offered to who may not, nor of what is over', async () => {
  await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => voucherStory({ state: 'used' }),
    },
  });
  expect(await offers(userEvent.setup())).toEqual(['Give money back for a use']);
});
