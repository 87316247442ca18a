import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const row = { id: 'm1', name: 'Ann', email: '', subject: 'A table', state: 'new', created_at: '2026-11-20T10:00:00Z' };

it('shows what was written, and writes down that somebody has answered', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/contactusdetail/m1', {
    answers: {
      '/api/owner/get/contactus': () => ({ data: [row], next: null, total: 1 }),
      '/api/owner/detail/contactus': () => row,
      '/api/owner/contactus/read': () => ({
        ...row,
        text: 'For two, please',
        phone: '081 234 5678',
        answered_at: null,
      }),
      '/api/owner/contactus/answer': () => ({}),
    },
  });
  await screen.findByText('For two, please');
  expect(screen.getByRole('link', { name: '081 234 5678' }).getAttribute('href')).toBe('tel:0812345678');
  await user.click(screen.getByRole('button', { name: 'Mark as answered' }));
  await waitFor(() => expect(calls('/api/owner/contactus/answer')[0]?.body).toEqual({ id: 'm1', answered: true }));
});

it('says in the menu how many messages wait, to who may see them', async () => {
  const answers = {
    '/api/owner/get/contactus': ({ filter }: { filter?: object }) => ({ data: [], next: null, total: filter ? 3 : 9 }),
  } as never;
  await renderOffice('/owner/settingtag', { answers });
  await screen.findByRole('button', { name: /^Customers\s*3 wait$/ });

  cleanup();
  const { calls } = await renderOffice('/owner/settingtag', {
    answers,
    who: { role: 'user', permission: { tags: 'v', customer: 'v' } },
  });
  await screen.findByRole('heading', { level: 1, name: 'Tags' });
  expect(calls('/api/owner/get/contactus')).toEqual([]);
});
