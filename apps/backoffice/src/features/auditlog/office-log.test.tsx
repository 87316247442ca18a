import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const line = {
  id: 'l1',
  at: '2026-11-20T03:00:00Z',
  actor_kind: 'owner',
  actor_id: 's1',
  actor_name: 'Somchai',
  action: 'change',
  object: 'discount',
  about: 'd1',
};

const open = (address: string, of: object = line) =>
  renderOffice(address, {
    answers: {
      '/api/owner/get/auditlog': () => ({ data: [of], next: null, total: 1 }),
      '/api/owner/detail/auditlog': () => ({ ...of, changes: [{ field: 'name_en', before: 'Five', after: 'Ten' }] }),
    } as never,
  });

it('lists who did what, in words', async () => {
  await open('/owner/auditlog');
  expect((await screen.findAllByText('Somchai')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('Changed it').length).toBeGreaterThan(0);
  expect(screen.getAllByText('discount').length).toBeGreaterThan(0);
});

it('names an account without a name by what it is, and an unknown word as it stands', async () => {
  await open('/owner/auditlog', { ...line, actor_kind: 'system', actor_name: '', action: 'sweep', object: 'attic' });
  expect((await screen.findAllByText('The clock')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('sweep').length).toBeGreaterThan(0);
});

it('says of one line what was there before and after, and leads to the record', async () => {
  await open('/owner/auditlog/l1');
  await screen.findByText('Five');
  expect(screen.getByText('Ten')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'discount' }).getAttribute('href')).toBe('/owner/discountlist/d1');
});
