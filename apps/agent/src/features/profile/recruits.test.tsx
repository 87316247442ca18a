import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { home, renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const recruit = (agent_id: string, name: string, rest: object = {}) => ({
  agent_id,
  name,
  since: '2026-11-01T05:00:00Z',
  sells: true,
  rate_basis_points: 200,
  orders: 12,
  commission_satang: 345_60,
  ...rest,
});

it('lists whom he recruited, and what he earned of their sales', async () => {
  await renderPage(`${home}/profile`, {
    '/api/agent/recruit/list': () => ({
      data: [recruit('a1', 'Anna'), recruit('a2', 'Ben', { sells: false, orders: 0, commission_satang: 0 })],
      most_basis_points: 200,
    }),
  });
  const section = await screen.findByRole('region', { name: 'People you recruited' });
  within(section).getByText(/your code DWXANBAN .* up to 2% of what that agent sells/);
  const [anna, ben] = within(section)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(anna).toContain('12 sales in the last 30 days');
  expect(anna).toContain('345.60');
  expect(ben).toContain('Does not sell at the moment');
});

it('promises nothing where recruiting earns nothing', async () => {
  await renderPage(`${home}/profile`, {});
  await screen.findByText('Napat');
  expect(screen.queryByText('People you recruited')).toBeNull();
});
