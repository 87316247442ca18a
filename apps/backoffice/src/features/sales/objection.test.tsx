import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const open = {
  record: {
    id: 'o1',
    made_at: '2026-11-20T12:02:00Z',
    state: 'open',
    due_at: '2026-11-22T12:02:00Z',
    name_th: 'นวดหินร้อน',
    name_en: 'Hot stones',
    voucher_id: 'v1',
    code: 'RL5C19HB40',
    kind: 'item',
    items: 1,
    customer_id: 'c1',
    customer_name: 'Kamon',
    service_point_name_th: 'ท่าแพ',
    service_point_name_en: 'Tha Phae',
    staff_name: 'Tom',
    used_at: '2026-11-20T11:40:00Z',
    share_satang: 1823_85,
    decided_at: null,
    decided_by_name: '',
  },
  picture_id: null,
  customer_picture_url: '',
  paid_satang: 1890_00,
  opened_at: '2026-11-20T11:31:00Z',
  scanned_at: '2026-11-20T11:39:00Z',
  uses: 12,
  objections: 1,
  answer: '',
  valid_until: '2027-01-31',
  anew_id: null,
  anew_code: '',
  sign_ins: [{ at: '2026-11-20T11:24:00Z', new_browser: true }],
};

const decided = (state: string, rest: object = {}) => ({
  ...open,
  ...rest,
  record: { ...open.record, state, decided_at: '2026-11-21T03:00:00Z', decided_by_name: 'Nat', ...rest },
});

it('says who used what where, what is held, and undoes the use after a second look', async () => {
  let over = false;
  const undone = decided('undone', { anew_id: 'v9', anew_code: 'NEWCODE123', answer: 'Another phone.' });
  const { calls } = await renderOffice('/owner/objection/o1', {
    answers: {
      '/api/owner/story/objection': () => (over ? undone : open),
      '/api/owner/objection/decide': () => {
        over = true;
        return undone;
      },
    },
  });
  await screen.findByRole('heading', { name: 'Kamon says: it was not me' });
  const minutes = within(await screen.findByRole('list', { name: 'Minute by minute' }));
  expect(minutes.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'Signed in with LINEIn a browser that was not used before20/11/2026 18:24',
    'The phone showed the code for Tha Phae20/11/2026 18:31',
    'Tom scanned it20/11/2026 18:39',
    'Tom confirmed it฿1,823.85 for the shop20/11/2026 18:40',
    'Kamon: “It was not me”฿1,823.85 is held since then20/11/2026 19:02',
  ]);
  await screen.findByText('Tha Phae');
  await screen.findByText('1 objections to 12 uses');
  await userEvent.type(screen.getByLabelText(/What Kamon reads with it/), ' Another phone. ');
  expect(screen.getByRole('button', { name: 'Choose one of the two' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('radio', { name: /Give it back to Kamon/ }));
  await screen.findByText('A new voucher, valid until 31/01/2027. The shop does not get ฿1,823.85.');
  await userEvent.click(screen.getByRole('button', { name: 'Give the use back' }));
  expect(calls('/api/owner/objection/decide')).toHaveLength(0);
  await userEvent.click(screen.getAllByRole('button', { name: 'Give the use back' }).at(-1) as HTMLElement);
  await waitFor(() =>
    expect(calls('/api/owner/objection/decide')[0]?.body).toEqual({ id: 'o1', undo: true, answer: 'Another phone.' }),
  );
  await screen.findByRole('link', { name: 'NEWCODE123' });
  await screen.findByText('Decided by Nat');
});

it('shows what the clock decided meanwhile', async () => {
  let over = false;
  await renderOffice('/owner/objection/o1', {
    answers: {
      '/api/owner/story/objection': () => (over ? decided('undone', { decided_by_name: '' }) : open),
      '/api/owner/objection/decide': () => {
        over = true;
        return new Refusal(409, 'objection.decided');
      },
    },
  });
  await userEvent.click(await screen.findByRole('radio', { name: /It was used: let it stand/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Let it stand' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Let it stand' }).at(-1) as HTMLElement);
  await screen.findByText('Nobody decided within 48 hours');
});

it('lets nobody decide without the right', async () => {
  await renderOffice('/owner/objection/o1', {
    who: { permission: { voucher: 'v' } },
    answers: { '/api/owner/story/objection': () => open },
  });
  await screen.findByText('You may not decide this.');
  expect(screen.queryByRole('radio')).toBeNull();
});
