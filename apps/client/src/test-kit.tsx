import { configure, render } from '@testing-library/react';
import { vi } from 'vitest';
import { App, type AppRouter } from './app.tsx';
import type { Boot, Organisation } from './boot.ts';
import { type MessageCatalog, setLanguage } from './language.ts';
import { newQueryClient } from './query-client.ts';

// A screen's script is compiled when a test first goes to it, on a machine that may be busy.
configure({ asyncUtilTimeout: 8_000 });

/** The organisation that tests stand in. */
export const spa: Organisation = {
  id: 'o1',
  unique: 'rueanlamai',
  name_th: 'เรือนละไม สปา',
  name_en: 'Ruean Lamai Spa',
  tagline_th: '',
  tagline_en: '',
  logo_url: null,
  primary: '#1f5c4d',
  secondary: '#d9a662',
  liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
  since: '2026-09',
  gifts: '/image/gift/org/v1',
  on_primary: '#ffffff',
  protected: true,
  suspended: false,
  members: false,
};

/** A refusal as the server's envelope says it. */
export class Refusal {
  constructor(
    readonly code: number,
    readonly fault: string,
    readonly rest: { fields?: { path: string; fault: string }[]; detail?: unknown } = {},
  ) {}
}

/** The answer of a call that opens a session: the token stands beside the detail. */
export class SignedIn {
  constructor(
    readonly token: string,
    readonly detail: { audience: string; return: string; pending?: string },
  ) {}
}

/** What the server answers to a body: a detail, a session, or a refusal. */
type Answer = (body: never) => unknown;
export type Answers = Record<string, Answer>;

interface Asked {
  path: string;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Puts a server of these answers behind `fetch`; what it has no answer for is not there. Says what was asked of it. */
export function serve(answers: Answers, otherwise: Answer = () => new Refusal(404, 'not_found')) {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    asked.push({ path, body, headers: new Headers(init.headers) });
    const detail = await (answers[path] ?? otherwise)(body as never);
    if (detail instanceof SignedIn) return Response.json({ result: true, code: 200, message: '', ...detail });
    if (!(detail instanceof Refusal)) return Response.json({ result: true, code: 200, message: '', detail });
    const { code, fault, rest } = detail;
    return Response.json({ result: false, code, message: fault, detail: null, fault, ...rest }, { status: code });
  });
  return { asked, calls: (path: string) => asked.filter((one) => one.path === path) };
}

/** Renders an app in English, as the server's page would begin it. */
export async function renderApp(app: {
  area: Boot['area'];
  line?: Boot['line'];
  org: Organisation | null;
  messageCatalog: MessageCatalog;
  router: AppRouter;
}) {
  await setLanguage('en', app.messageCatalog);
  const boot: Boot = { lang: 'en', area: app.area, org: app.org, line: app.line ?? {}, data: [] };
  const client = newQueryClient(boot);
  render(<App boot={boot} client={client} router={app.router} />);
  return client;
}
