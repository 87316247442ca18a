import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const line = {
  id: '01990000-0000-7000-8000-000000000001',
  at: '2026-11-29T03:00:00Z',
  actor_kind: 'admin',
  actor_name: 'มานี',
  action: 'suspend',
  object: 'organisation/01990000-0000-7000-8000-000000000002',
  about: 'spa',
  changes: [{ field: 'state', before: 'live', after: 'suspended' }],
};

it('shows what was changed, narrowed by a word, and saves just that', async () => {
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/auditlog_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/auditlog/list': () => ({
        data: [
          line,
          {
            ...line,
            id: '01990000-0000-7000-8000-000000000003',
            action: 'add',
            object: 'bankholiday/2026-12-31',
            about: '',
          },
        ],
        next: null,
      }),
      '/api/admin/auditlog/file': () => ({ name: 'audit-log.csv', text: '', cut: true }),
    },
  });
  await user.click(await screen.findByRole('button', { name: /Suspended it/ }));
  await screen.findByText('live');
  screen.getByText('bank holiday');
  await user.type(screen.getByLabelText('Search'), 'spa');
  await waitFor(() => expect(calls('/api/admin/auditlog/list').at(-1)?.body).toEqual({ limit: 50, search: 'spa' }));
  await user.click(screen.getByRole('button', { name: 'Save what was found' }));
  await screen.findByText(/newest 10,000 rows/);
  expect(calls('/api/admin/auditlog/file')[0]?.body).toEqual({ search: 'spa' });
});
