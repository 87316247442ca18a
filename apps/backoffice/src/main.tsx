import '@wlv/ui/theme.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { readBoot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { catalogue } from './catalogue.ts';
import { PageProvider } from './page.tsx';
import { newRouter } from './routes.tsx';
import { leaveWhenOver } from './session-end.ts';

void start();

async function start() {
  trustOwnStyles();
  const boot = readBoot('backoffice');
  await speak(boot.lang, catalogue);
  const client = newQueryClient(boot);
  const router = newRouter();

  leaveWhenOver(client, router);

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
