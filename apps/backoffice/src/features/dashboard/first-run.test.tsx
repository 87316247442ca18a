import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ready, renderOffice } from '../../test/render-office.ts';

const empty = { logo: false, service_points: 0, on_sale: 0, line: false, payment: false, accounts: 0 };
const overview = { from: '2026-11-21', to: '2026-11-21' };

async function opened(state: object, permission?: Record<string, string>) {
  await renderOffice('/owner/main', {
    answers: { '/api/owner/dashboard': () => overview, '/api/owner/dashboard/firstrun': () => state },
    ...(permission ? { who: { permission } } : {}),
  });
  return within(await screen.findByRole('region', { name: 'Open your shop today' }));
}

it('fills the action of the first thing that is missing, and no other', async () => {
  const list = await opened({ ...empty, logo: true });
  const rows = list.getAllByRole('listitem');
  expect(rows.map((row) => within(row).queryByRole('img', { name: 'Done' }) !== null)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  const filled = list.getAllByRole('link').filter((link) => link.className.includes('bg-primary'));
  expect(filled.map((link) => link.textContent)).toEqual(['Add the place']);
  expect(list.getByText(/1 of 6 are done/)).toBeTruthy();
});

it('says what a draft lacks, and goes on with it', async () => {
  const draft = { id: 'd', name_th: 'นวด', name_en: 'Massage', picture: false, price: true, parts: true };
  const list = await opened({ ...ready, on_sale: 0, draft });
  expect(list.getByRole('link', { name: 'Go on' }).getAttribute('href')).toBe('/owner/packagelist/d');
  const needs = list.getByText('Picture').closest('li') as HTMLElement;
  expect(within(needs).getByRole('img', { name: 'Missing' })).toBeTruthy();
});

it('offers nothing that this person may not do', async () => {
  const list = await opened(empty, { dashboard: 'v' });
  expect(list.queryByRole('link', { name: 'Add the place' })).toBeNull();
  expect(list.queryByRole('link', { name: 'Make the package' })).toBeNull();
});

it('is gone when all is done, and stays away once it is put away', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/main', { answers: { '/api/owner/dashboard': () => overview } });
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByRole('region', { name: 'Open your shop today' })).toBeNull();

  const list = await opened(empty);
  await user.click(list.getByRole('button', { name: 'Put away' }));
  expect(screen.queryByRole('region', { name: 'Open your shop today' })).toBeNull();
  expect(localStorage.getItem('first-run')).toBe('away');
});
