import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { voucherStory } from '../../test/voucher-story.ts';

it('extends what is over with a reason, and shows what was given', async () => {
  let now = voucherStory({ state: 'expired', valid_until: '2026-01-31' });
  const server = await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => now,
      '/api/owner/voucher/extend': () => {
        const made = {
          id: 'x1',
          days: 59,
          reason: 'Closed',
          made_at: '2026-11-20T12:02:00Z',
          made_by: 'Tom',
          expired: true,
        };
        now = voucherStory({ valid_until: '2099-03-31' }, { extensions: [made] });
        return {};
      },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'More' }));
  expect(screen.queryByRole('menuitem', { name: 'Cancel this voucher' })).toBeNull();
  await user.click(screen.getByRole('menuitem', { name: 'Extend it' }));
  screen.getByText(/It can be used again/);
  const extend = screen.getByRole('button', { name: 'Extend it' });
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), ' Closed ');
  const day = screen.getByRole('textbox', { name: 'New last day' });
  await user.clear(day);
  await user.type(day, '31/01/2026');
  expect(extend).toHaveProperty('disabled', true);
  await user.clear(day);
  await user.type(day, '31/03/2099');
  await user.click(extend);
  await screen.findByText('59 days, after it was over');
  screen.getByText('Closed');
  expect(server.calls('/api/owner/voucher/extend')[0]?.body).toEqual({
    id: 'v1',
    valid_until: '2099-03-31',
    reason: 'Closed',
  });
});

it('does not extend what went to the wallet', async () => {
  await renderOffice('/owner/voucherlist/v1', {
    answers: { '/api/owner/story/voucher': () => voucherStory({ state: 'expired' }, { expiry_rule: 'wallet' }) },
  });
  await screen.findByText("What is left when it expires goes to the holder's wallet");
  await userEvent.click(screen.getByRole('button', { name: 'More' })); // money may be given back for what was used of it
  await screen.findByRole('menuitem', { name: 'Give money back for a use' });
  expect(screen.queryByRole('menuitem', { name: 'Extend it' })).toBeNull();
});
