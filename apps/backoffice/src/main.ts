import '@wlv/ui/theme.css';
import { mountApp } from '@wlv/client/app';
import { readBoot } from '@wlv/client/boot';
import { setLanguage } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { appRouter } from '@wlv/client/tanstack';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { redirectWhenExpired } from './access/session-end.ts';
import { messageCatalog } from './messages.ts';
import { newRouter } from './routes.tsx';

void start();

async function start() {
  trustOwnStyles();
  const boot = readBoot('backoffice');
  await setLanguage(boot.lang, messageCatalog);
  const client = newQueryClient(boot);
  const router = newRouter();

  redirectWhenExpired(client, router);

  await mountApp({ boot, client, router: appRouter(router) });
}
