import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const pim = {
  id: 'm1',
  customer_id: 'k1',
  number: 'LAM00482216',
  name: 'พิมพ์ชนก สุขใจ',
  pictureUrl: '',
  state: 'active',
  card_type_id: 'c1',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  since: '2026-11-21',
  ends_on: null,
  mobile_digits: '0146',
  status: 5,
};
const applicant = {
  id: 'a1',
  customer_id: 'k2',
  pictureUrl: '',
  kind: 'first',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  sent_at: '2026-11-21T04:52:00Z',
  name: 'ธิดา ชัยวงศ์',
  age: 38,
  gender: 'female',
  nationality: 'TH',
  identity_digits: '',
  identity_right: true,
  mobile_digits: '6120',
  province: '',
  receipt: false,
  own: false,
  same: [{ id: 'm1', name: 'พิมพ์ชนก สุขใจ', number: 'LAM00482216', what: 'mobile' }],
};

const answers = {
  '/api/owner/get/memberlist': () => ({ data: [pim], total: 1 }),
  '/api/owner/memberlist/waiting': () => ({ data: [applicant] }),
  '/api/owner/memberlist/approve': () => ({}),
  '/api/owner/memberlist/refuse': () => ({}),
};

it('lists members beside who waits, and grants a card with a reason where another member has the same', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/memberlist', { answers });
  within(await screen.findByRole('table')).getByText('Gold');
  await screen.findByText('พิมพ์ชนก สุขใจ (LAM00482216) has the same');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  within(dialog).getByText('Write why');
  expect(calls('/api/owner/memberlist/approve')).toHaveLength(0);
  await user.type(within(dialog).getByLabelText('Why, although another member has the same'), 'Sisters');
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(calls('/api/owner/memberlist/approve').at(-1)?.body).toEqual({ id: 'a1', reason: 'Sisters' }),
  );
});

it('refuses in words that the applicant reads', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/memberlist', { answers });
  await user.click(await screen.findByRole('button', { name: 'Do not approve' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Why, for ธิดา ชัยวงศ์ to read'), 'Another name');
  await user.click(within(dialog).getByRole('button', { name: 'Send the answer' }));
  await waitFor(() =>
    expect(calls('/api/owner/memberlist/refuse').at(-1)?.body).toEqual({ id: 'a1', reason: 'Another name' }),
  );
});

it('asks a second person to give or take points, and says what there would be', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/memberlist/m1', {
    answers: {
      ...answers,
      '/api/owner/detail/memberlist': () => ({ ...pim, points: 1120 }),
      '/api/owner/memberlist/points/ask': () => ({ approval_id: 'q1' }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Adjust points' }));
  const dialog = await screen.findByRole('dialog', { name: 'Adjust points' });
  const ask = within(dialog).getByRole('button', { name: 'Ask for it' });
  await user.type(within(dialog).getByLabelText('Points'), '500');
  within(dialog).getByText('1,620');
  expect(ask).toHaveProperty('disabled', true);
  await user.type(within(dialog).getByLabelText('Why?'), 'Waited long');
  await user.click(within(dialog).getByLabelText('Take'));
  await user.clear(within(dialog).getByLabelText('Points'));
  await user.type(within(dialog).getByLabelText('Points'), '1121');
  await within(dialog).findByText('The member does not have that many points.');
  expect(ask).toHaveProperty('disabled', true);
  await user.clear(within(dialog).getByLabelText('Points'));
  await user.type(within(dialog).getByLabelText('Points'), '112');
  await user.click(ask);
  await waitFor(() =>
    expect(calls('/api/owner/memberlist/points/ask').at(-1)?.body).toEqual({
      customer_id: 'k1',
      points: -112,
      months: 12,
      reason: 'Waited long',
    }),
  );
});
