import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { voucherStory } from '../../test/voucher-story.ts';

it('gives a new code with a reason, and shows the code that it had', async () => {
  let now = voucherStory({ state: 'in_transfer' });
  const server = await renderOffice('/owner/voucherlist/v1', {
    answers: {
      '/api/owner/story/voucher': () => now,
      '/api/owner/voucher/reissue': () => {
        const was = {
          id: 'r1',
          old_code: 'RL5C19HB40',
          reason: 'Seen',
          made_at: '2026-11-20T12:02:00Z',
          made_by: 'Tom',
        };
        now = voucherStory({ code: 'NEWCODE123' }, { reissues: [was] });
        return {};
      },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Give a new code' }));
  screen.getByText('Its gift goes on: the link stays good.');
  const give = screen.getByRole('button', { name: 'Give a new code' });
  expect(give).toHaveProperty('disabled', true);
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), ' Seen ');
  await user.click(give);
  await screen.findByText('Codes that it had before');
  screen.getByText('RL5C19HB40');
  expect(server.calls('/api/owner/voucher/reissue')[0]?.body).toEqual({ id: 'v1', reason: 'Seen' });
});
