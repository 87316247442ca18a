import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const ann = { id: 'c1', displayName: 'Ann', status: 5, agent: false, created_at: '2026-11-20T10:00:00Z' };
const kind = (id: string, name_en: string) => ({ id, name_th: name_en, name_en });

function open(types: object[]) {
  return renderOffice('/owner/customerlist/c1', {
    answers: {
      '/api/owner/get/customer': () => ({ data: [ann], next: null, total: 1 }),
      '/api/owner/detail/customer': () => ann,
      '/api/owner/get/agenttype': () => ({ data: types, next: null, total: types.length }),
      '/api/owner/agent/approve': () => ({}),
    },
  });
}

it('approves an agent of the only type without asking which', async () => {
  const user = userEvent.setup();
  const { calls } = await open([kind('t1', 'Standard')]);
  await screen.findByText('Standard');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(calls('/api/owner/agent/approve')[0]?.body).toEqual({ customer_id: 'c1', agent_type_id: 't1' }),
  );
});

it('asks for the type where there are several', async () => {
  const { calls } = await open([kind('t1', 'Standard'), kind('t2', 'Gold')]);
  await waitFor(() => expect(calls('/api/owner/get/agenttype')).toHaveLength(1));
  expect(await screen.findByRole('button', { name: 'Approve' })).toHaveProperty('disabled', true);
});
