import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import type { Organisation } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { afterEach, vi } from 'vitest';
import type { Area } from './area.ts';
import { catalogue } from './catalogue.ts';
import { PageProvider } from './page.tsx';
import { newRouter } from './routes.tsx';
import { leaveWhenOver } from './session-end.ts';

// A screen's script is compiled when it is first gone to.
configure({ asyncUtilTimeout: 8_000 });

const afterwards: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const step of afterwards.splice(0)) step();
});

/** What a fake call answers: its `detail`, or a refusal. */
type Answer = (body: never, request: Request) => unknown;

interface Asked {
  path: string;
  body: Record<string, unknown>;
  headers: Headers;
}

export class Refusal {
  constructor(
    readonly code: number,
    readonly fault: string,
    readonly rest: { fields?: { path: string; fault: string }[]; detail?: unknown } = {},
  ) {}
}

const spa: Organisation = {
  id: '1',
  unique: 'spa',
  name_th: 'สปา',
  name_en: 'Spa',
  tagline_th: '',
  tagline_en: '',
  logo_url: null,
  primary: '#1f5c4d',
  secondary: '#d9a662',
  liff: { user: '', agent: '', trade: '', transfer: '' },
};

const person = {
  audience: 'owner',
  name: 'Nat',
  pictureUrl: '',
  role: 'superadmin',
  permission: {},
  org: null,
  gate: '',
  profile: null,
};

/**
 * Opens an address of the office in English, signed in as who may do everything, before a server that answers as the
 * test says. Lists that the test says nothing of are empty. Returns what was asked of the server.
 */
export async function openOffice(
  address: string,
  options: { answers?: Record<string, Answer>; signedIn?: Area | null; org?: Organisation | null; who?: object } = {},
) {
  const asked: Asked[] = [];
  const { answers = {}, signedIn = 'owner', org = spa, who = {} } = options;
  localStorage.clear();
  localStorage.setItem('sound', 'off');
  if (signedIn) localStorage.setItem(`token:${signedIn}`, 'a token');
  browserParts();

  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    asked.push({ path, body, headers: new Headers(init.headers) });
    const fallback =
      path === '/api/authen/rechecktoken' ? () => ({ ...person, ...who }) : () => ({ data: [], next: null, total: 0 });
    const detail = await (answers[path] ?? fallback)(body as never, init as never);
    if (!(detail instanceof Refusal)) return Response.json({ result: true, code: 200, message: '', detail });
    const { code, fault, rest } = detail;
    return Response.json({ result: false, code, message: fault, detail: null, fault, ...rest }, { status: code });
  });

  await speak('en', catalogue);
  const boot = { lang: 'en' as const, area: 'backoffice' as const, org, line: {}, data: [] };
  const router = newRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = newQueryClient(boot);
  afterwards.push(leaveWhenOver(client, router), () => client.clear());
  render(
    <I18nProvider i18n={i18n}>
      <PageProvider value={boot}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </PageProvider>
    </I18nProvider>,
  );
  return { router, asked, asks: (path: string) => asked.filter((one) => one.path === path) };
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
