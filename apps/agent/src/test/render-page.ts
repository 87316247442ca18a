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
  '/api/agent/recruit/list': () => ({ data: [], most_basis_points: 0 }),
  '/api/agent/payout/list': () => ({ data: [], next: null }),
  '/api/agent/payout/next': () => ({ pay_day: null }),
  '/api/agent/register/get': () => ({ state: 'approved', early: false, draft: null, sent: null, known: null }),
  '/api/agent/consent/open': () => ({ data: [] }),
  '/api/user/get/tags': () => ({ data: [{ id: 't1', name_th: 'อโรมา', name_en: 'Aroma' }] }),
  '/api/user/get/service_point': () => ({ data: [] }),
};

/** A form that was sent, as its sender is shown it. */
export const sentForm = {
  id: 'v1',
  state: 'pending',
  kind: 'person',
  name: 'Wipada Kantawong',
  identity_digits: '3646',
  mobile_digits: '0192',
  bank: '004',
  account_digits: '3732',
  account_name: 'Wipada Kantawong',
  pictures: { idcard: 'p1', bank: 'p2' },
  sent_at: '2026-11-21T07:10:00Z',
  decided_at: null as string | null,
  lapsed: false,
  reason: '',
  mend: [] as string[],
  pays_from: null as string | null,
};

/** What somebody is filling in. */
export const filling = {
  form: {
    kind: 'person',
    firstname: 'Wipada',
    lastname: 'Kantawong',
    company_name: '',
    tax_id: '',
    branch: '',
    vat_registered: false,
    resident: true,
    idcard: '1101700203646',
    birthdate: '1993-08-02',
    mobilenumber: '0865550192',
    emailaddress: 'wipada.k@example.com',
    address: '45 Moo 3',
    subdistrict: 'Rim Tai',
    district: 'Mae Rim',
    province: 'Chiang Mai',
    postcode: '50180',
    nationality: 'TH',
    referercode: '',
    bank: '004',
    account_number: '0418123732',
    account_name: 'Wipada Kantawong',
  },
  mobile_verified: false,
  pictures: { idcard: null as string | null, bank: null as string | null },
  mend: [] as string[],
  recruiter_name: '',
  saved_at: '2026-11-21T07:00:00Z',
  wrong_digits: [] as string[],
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
