import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Boot } from './boot.ts';
import { PageProvider } from './page.tsx';

interface Parts {
  boot: Boot;
  client: QueryClient;
  router: AnyRouter;
}

/** What every screen stands in: the language, what the server told the page, the cache, the routes. */
export function App({ boot, client, router }: Parts) {
  return (
    <I18nProvider i18n={i18n}>
      <PageProvider value={boot}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </PageProvider>
    </I18nProvider>
  );
}

/** Puts the app into the page that the server wrote; over a first screen that it painted, the app comes whole in one frame. */
export async function show(parts: Parts) {
  const place = document.getElementById('app');
  if (!place) throw new Error('the page has no #app');
  if (place.firstChild) await parts.router.load();
  createRoot(place).render(
    <StrictMode>
      <App {...parts} />
    </StrictMode>,
  );
}
