import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup } from '@testing-library/react';
import type { Organisation } from '@wlv/client/boot';
import { appRouter } from '@wlv/client/tanstack';
import { type Answers, renderApp, serve, spa } from '@wlv/client/test-kit';
import examples from '@wlv/ui/theme/examples.json';
import { afterEach, vi } from 'vitest';
import { moduleGroups } from '../access/modules.ts';
import { redirectWhenExpired } from '../access/session-end.ts';
import type { Area } from '../area.ts';
import { messageCatalog } from '../messages.ts';
import { newRouter } from '../routes.tsx';

const afterwards: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const step of afterwards.splice(0)) step();
});

interface Who {
  audience?: Area;
  role?: string;
  /** By which he signs in. */
  type?: 'user' | 'line';
  /** Letters by module, as `vi`; everything when left out. */
  permission?: Record<string, string>;
}

/** Who is signed in, as rechecktoken answers it. */
export function person({ audience = 'owner', role = 'superadmin', type = 'user', permission = everything }: Who = {}) {
  const letters = Object.fromEntries(Object.entries(permission).map(([module, has]) => [module, [...has]]));
  const admin = audience === 'admin';
  return {
    audience,
    profile: { displayName: 'Nat', pictureUrl: '', usertype: type, type, isadmin: admin },
    role: admin ? role : '',
    permission_admin: admin ? letters : {},
    line: false,
    gate: '',
    org: admin
      ? null
      : {
          role,
          permission: { mod: letters },
          setting: { name_th: 'เรือนละไม สปา', name_en: 'Ruean Lamai Spa', pictureUrl: '' },
          orgsetting: { background_color_primary: '#1f5c4d', background_color_secondary: '#d9a662' },
        },
  };
}

const everything = Object.fromEntries(
  moduleGroups.flatMap(({ modules }) => modules.map(({ module }) => [module, 'vius'] as const)),
);

/** A shop that has all it needs to sell. */
export const ready = { logo: true, service_points: 1, on_sale: 1, line: true, payment: true, accounts: 1 };

/**
 * Opens an address of the office, signed in as who may do everything, before a server that answers as the test says.
 * Lists that the test says nothing of are empty. Returns what was asked of the server.
 */
export async function renderOffice(
  address: string,
  options: {
    answers?: Answers;
    /** To what the test says nothing of. */
    otherwise?: () => unknown;
    signedIn?: Area | null;
    org?: Organisation | null;
    who?: Who;
  } = {},
) {
  const { answers = {}, otherwise = () => ({ data: [], next: null, total: 0 }) } = options;
  const { signedIn = 'owner', org = spa, who = {} } = options;
  localStorage.clear();
  localStorage.setItem('sound', 'off');
  if (signedIn) localStorage.setItem(`token:${signedIn}`, 'a token');
  browserParts();

  const known = {
    '/api/authen/rechecktoken': () => person({ ...(signedIn ? { audience: signedIn } : {}), ...who }),
    '/api/staff/theme': () => examples[0],
    '/api/admin/theme': () => examples[0],
    '/api/owner/dashboard/firstrun': () => ready,
    ...answers,
  };
  const server = serve(known, otherwise);
  const router = newRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = await renderApp({ area: 'backoffice', org, messageCatalog, router: appRouter(router) });
  afterwards.push(redirectWhenExpired(client, router), () => client.clear());
  return { router, ...server };
}

/** What jsdom has not: sizes, media queries, and a pointer that menus can capture. */
function browserParts() {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
}
