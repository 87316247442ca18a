import '@wlv/ui/theme.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { readBoot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { OrgMark, PlatformMark } from '@wlv/ui/org-mark';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messages as th } from './locales/th.po';

trustOwnStyles();
const boot = readBoot('agent');
await speak(boot.lang, { th, en: () => import('./locales/en.po') });

const root = document.getElementById('app');
if (!root) throw new Error('the page has no #app');

createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={newQueryClient(boot)}>
        {boot.org ? <OrgMark logo={boot.org.logo_url} name={boot.org.name_th} /> : <PlatformMark />}
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
