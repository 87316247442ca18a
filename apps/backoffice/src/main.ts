import '@wlv/ui/theme.css';
import { show } from '@wlv/client/app';
import { readBoot } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { appRouter } from '@wlv/client/tanstack';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { catalogue } from './catalogue.ts';
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

  await show({ boot, client, router: appRouter(router) });
}
