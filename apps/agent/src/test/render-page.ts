import { session } from '@wlv/client/session';
import { appRouter } from '@wlv/client/tanstack';
import { type Answers, renderApp, serve, spa } from '@wlv/client/test-kit';
import { vi } from 'vitest';
import { messageCatalog } from '../messages.ts';
import { newRouter } from '../routes.tsx';

export const liffId = '1657000001-weloveag';
export const home = `/weloveagent/${liffId}`;
export const link = 'https://lamai.example/user/market/p1?link=abc123';

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

/** What the server answers to an approved agent; a test replaces what it is about. */
const defaultActions: Answers = {
  '/api/agent/profile/agent': () => profile,
  '/api/agent/summary': () => ({
    pending_satang: 119_00,
    payable_satang: 8_140_00,
    owed_satang: 0,
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

export const notAnAgent = () => ({ ...profile, agent: false });

/** Opens a page of the app, with these answers of the server. */
export async function renderPage(path: string, answers: Answers = {}, { signedIn = true } = {}) {
  vi.stubGlobal('scrollTo', () => undefined);
  const server = serve({ ...defaultActions, ...answers });
  if (signedIn) session.save('agent', 'ag_napat');
  window.history.replaceState(null, '', path);
  const org = { ...spa, liff: { ...spa.liff, liffagent: liffId } };
  await renderApp({ area: 'agent', org, messageCatalog, router: appRouter(newRouter()) });
  return server;
}
