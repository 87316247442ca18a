import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import type { Boot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { session } from '@wlv/client/session';
import { vi } from 'vitest';
import { catalogue } from './catalogue.ts';
import { PageProvider } from './page.tsx';
import { newRouter } from './routes.tsx';

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
  liff: { user: '', agent: '', trade: '', transfer: '' },
};

type Answers = Record<string, (body: never) => unknown>;

// A screen's script is compiled when a test first goes to it, on a machine that may be busy.
configure({ asyncUtilTimeout: 8_000 });

/** A refusal as the server's envelope says it. */
export class Refusal {
  constructor(
    readonly code: number,
    readonly fault: string,
  ) {}
}

/** Opens a page of the app in English, with these answers of the server. */
export async function openPage(path: string, answers: Answers, { signedIn = true } = {}) {
  const calls: { path: string; body: unknown; headers: Headers }[] = [];
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    calls.push({ path: address, body, headers: new Headers(init.headers) });
    const detail = answers[address]?.(body as never) ?? new Refusal(404, 'not_found');
    const envelope =
      detail instanceof Refusal
        ? { result: false, code: detail.code, message: detail.fault, fault: detail.fault }
        : { result: true, code: 200, message: '', detail };
    return new Response(JSON.stringify(envelope));
  });
  if (signedIn) session.save('user', 'us_ann');
  await speak('en', catalogue);
  window.history.replaceState(null, '', path);

  const boot: Boot = { lang: 'en', area: 'customer', org, line: {}, data: [] };
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
