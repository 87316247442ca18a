import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup } from '@testing-library/react';
import type { Organisation } from '@wlv/client/boot';
import { type Answers, renderApp, serve, spa } from '@wlv/client/test-kit';
import { afterEach, vi } from 'vitest';
import type { Area } from './area.ts';
import { catalogue } from './catalogue.ts';
import { newRouter } from './routes.tsx';
import { leaveWhenOver } from './session-end.ts';

const afterwards: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const step of afterwards.splice(0)) step();
});

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
 * Opens an address of the office, signed in as who may do everything, before a server that answers as the test says.
 * Lists that the test says nothing of are empty. Returns what was asked of the server.
 */
export async function openOffice(
  address: string,
  options: { answers?: Answers; signedIn?: Area | null; org?: Organisation | null; who?: object } = {},
) {
  const { answers = {}, signedIn = 'owner', org = spa, who = {} } = options;
  localStorage.clear();
  localStorage.setItem('sound', 'off');
  if (signedIn) localStorage.setItem(`token:${signedIn}`, 'a token');
  browserParts();

  const known = { '/api/authen/rechecktoken': () => ({ ...person, ...who }), ...answers };
  const server = serve(known, () => ({ data: [], next: null, total: 0 }));
  const router = newRouter(createMemoryHistory({ initialEntries: [address] }));
  const client = await renderApp({ area: 'backoffice', org, catalogue, router });
  afterwards.push(leaveWhenOver(client, router), () => client.clear());
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
