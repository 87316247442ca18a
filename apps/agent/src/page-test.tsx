import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { Boot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { session } from '@wlv/client/session';
import { vi } from 'vitest';
import { catalogue } from './catalogue.ts';
import { PageProvider } from './page.tsx';
import { newRouter } from './routes.tsx';

export const liffId = '1657000001-weloveag';
export const home = `/weloveagent/${liffId}`;

const org = {
  id: 'o1',
  unique: 'rueanlamai',
  name_th: 'เรือนละไม สปา',
  name_en: 'Ruean Lamai Spa',
  tagline_th: '',
  tagline_en: '',
  logo_url: null,
  primary: '#1f5c4d',
  secondary: '#d9a662',
  liff: { user: '', agent: liffId, trade: '', transfer: '' },
};

/** One package as an agent sees it. */
export const massage = {
  id: 'p1',
  code: 'PK-0101',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  badge_th: '',
  badge_en: '',
  picture: null,
  price_satang: 3_290_00,
  list_price_satang: null,
  remaining: null as number | null,
  sold: 2,
  tags: [],
  featured: true,
  places: 3,
  sale_to: null,
  commission_satang: 164_50,
};

const profile = {
  displayName: 'Napat',
  firstname: '',
  lastname: '',
  pictureUrl: '',
  referercode: 'DWXANBAN',
  agent: true,
};

type Answers = Record<string, (body: never) => unknown>;

/** What the server answers to an approved agent; a test replaces what it is about. */
const usual: Answers = {
  '/api/agent/profile/agent': () => profile,
  '/api/agent/summary': () => ({
    pending_satang: 119_00,
    payable_satang: 8_140_00,
    month_satang: 12_480_00,
    rate_basis_points: 1250,
    by_day: [
      { day: '2026-11-20', satang: 0 },
      { day: '2026-11-21', satang: 119_00 },
    ],
  }),
  '/api/agent/get/salepackage': () => ({ data: [massage], next: null, total: 1 }),
  '/api/agent/link/create': () => ({ code: 'abc123', package_id: 'p1', name_th: '', name_en: '', url: link }),
  '/api/agent/history': () => ({ data: [], next: null }),
  '/api/user/get/tags': () => ({ data: [{ id: 't1', name_th: 'อโรมา', name_en: 'Aroma' }] }),
  '/api/user/get/service_point': () => ({ data: [] }),
};

export const link = 'https://lamai.example/user/market/p1?link=abc123';
export const stranger = () => ({ ...profile, agent: false });

/** A refusal as the server's envelope says it. */
export class Refusal {
  constructor(
    readonly code: number,
    readonly fault: string,
  ) {}
}

/** Opens a page of the app in English, with these answers of the server. */
export async function openPage(path: string, answers: Answers = {}, { signedIn = true } = {}) {
  const calls: { path: string; body: unknown; headers: Headers }[] = [];
  const all = { ...usual, ...answers };
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    calls.push({ path: address, body, headers: new Headers(init.headers) });
    const detail = all[address]?.(body as never) ?? new Refusal(404, 'not_found');
    const envelope =
      detail instanceof Refusal
        ? { result: false, code: detail.code, message: detail.fault, fault: detail.fault }
        : { result: true, code: 200, message: '', detail };
    return new Response(JSON.stringify(envelope));
  });
  if (signedIn) session.save('agent', 'ag_napat');
  await speak('en', catalogue);
  window.history.replaceState(null, '', path);

  const boot: Boot = { lang: 'en', area: 'agent', org, line: {}, data: [] };
  render(
    <I18nProvider i18n={i18n}>
      <PageProvider value={boot}>
        <QueryClientProvider client={newQueryClient(boot)}>
          <RouterProvider router={newRouter()} />
        </QueryClientProvider>
      </PageProvider>
    </I18nProvider>,
  );
  return { calls: (of: string) => calls.filter((c) => c.path === of) };
}
