import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Boot } from './boot.ts';
import { PageProvider } from './page.tsx';
import { Replace } from './replace.ts';

/** What every app asks of its router, whichever it is: router.tsx of the customer's, tanstack.tsx of the others. */
export interface AppRouter {
  /** Shows the page of the address. */
  Pages: ComponentType;
  /** Brings the first page, so that it is shown as soon as the app is. */
  load: () => Promise<void>;
  /** Goes to an address of this host in place of the one that is shown. */
  replace: (href: string) => void;
}

interface Parts {
  boot: Boot;
  client: QueryClient;
  router: AppRouter;
}

/** What every screen stands in: the language, what the server wrote into the page, the cache, the routes. */
export function App({ boot, client, router }: Parts) {
  return (
    <I18nProvider i18n={i18n}>
      <PageProvider value={boot}>
        <QueryClientProvider client={client}>
          <Replace value={router.replace}>
            <router.Pages />
          </Replace>
        </QueryClientProvider>
      </PageProvider>
    </I18nProvider>
  );
}

/** Puts the app into the page that the server wrote. A first screen that stands there already is the app's own: it takes it over. */
export async function mountApp(parts: Parts) {
  const place = document.getElementById('app');
  if (!place) throw new Error('the page has no #app');
  const app = (
    <StrictMode>
      <App {...parts} />
    </StrictMode>
  );
  if (!place.firstChild) return createRoot(place).render(app);
  await parts.router.load();
  hydrateRoot(place, <Hydrated>{app}</Hydrated>);
}

/** Says to the window that buttons do something from now on. */
function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => void dispatchEvent(new Event('app-hydrated')), []);
  return children;
}
