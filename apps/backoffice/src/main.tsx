import '@wlv/ui/theme.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { readBoot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { session } from '@wlv/client/session';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { areas } from './area.ts';
import { catalogue } from './catalogue.ts';
import { PageProvider } from './page.tsx';
import { newRouter } from './routes.tsx';

void start();

async function start() {
  trustOwnStyles();
  const boot = readBoot('backoffice');
  await speak(boot.lang, catalogue);
  const client = newQueryClient(boot);
  const router = newRouter();

  // The end of a session leads to the sign-in page, which says so and offers the way back here.
  session.onOver((audience) => {
    if (audience === 'user' || audience === 'agent') return;
    const { base } = areas[audience];
    const { pathname, href } = router.state.location;
    if (!pathname.startsWith(base) || pathname === `${base}/loginpage`) return;
    client.clear();
    void router.navigate({ to: `${base}/loginpage`, search: { reason: 'over', next: href }, replace: true });
  });

  const place = document.getElementById('app');
  if (!place) throw new Error('the page has no #app');
  createRoot(place).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <PageProvider value={boot}>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </PageProvider>
      </I18nProvider>
    </StrictMode>,
  );
}
