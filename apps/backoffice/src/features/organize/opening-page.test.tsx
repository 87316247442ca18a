import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openOffice } from '../../open-office.ts';

const step = { state: 'done', detail: '', attempt: 1, started_at: null, finished_at: null };
const opening = {
  id: 'o1',
  unique: 'shop',
  name_th: 'ร้าน',
  name_en: 'Shop',
  state: 'live',
  background_color_primary: '#061c33',
  background_color_secondary: '#d3ae55',
  host: 'shop.example.com',
  url: 'https://shop.example.com',
  liff: { user: '', agent: '', trade: '', transfer: '' },
  plan_id: 'p1',
  created_at: '2026-11-21T03:00:00Z',
  webhook_url: 'https://example.com/api/hook/unguessable',
  steps: [{ ...step, name: 'addresses', detail: 'TXT _voucher-verify = o1: shop.example.org' }],
};

const open = (more: object) =>
  openOffice('/advwsadmin/organize_edit/o1', {
    signedIn: 'admin',
    org: null,
    who: { audience: 'admin' },
    answers: {
      '/api/admin/organize/detail': () => ({ ...opening, ...more }),
      '/api/admin/plan/list': () => ({ data: [] }),
    },
  });

it('shows what is to be set at the gateway and in the DNS', async () => {
  await open({});
  await screen.findByText(opening.webhook_url);
  await screen.findByText('TXT _voucher-verify = o1: shop.example.org');
});

it('asks for nothing where nothing is to be set', async () => {
  await open({ webhook_url: '', steps: [{ ...step, name: 'addresses', detail: 'shop.example.com' }] });
  await screen.findByText('https://shop.example.com/owner');
  expect(screen.queryByText('Webhook')).toBeNull();
  expect(screen.queryByText(/DNS/)).toBeNull();
});
