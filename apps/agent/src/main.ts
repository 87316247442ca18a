import '@wlv/ui/theme.css';
import type { QueryClient } from '@tanstack/react-query';
import { mountApp } from '@wlv/client/app';
import { readBoot } from '@wlv/client/boot';
import { device } from '@wlv/client/device';
import { setLanguage } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { session } from '@wlv/client/session';
import { recheck, signInAgentInsideLine } from '@wlv/client/sign-in';
import { appRouter } from '@wlv/client/tanstack';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { messageCatalog } from './messages.ts';
import { rememberWantedPage } from './pages.ts';
import { newRouter } from './routes.tsx';

type Router = ReturnType<typeof newRouter>;

const boot = readBoot('agent');
const liffId = /^\/weloveagent\/(\d+-\w+)/.exec(location.pathname)?.[1];

void start();

/** Not awaited at the top of the module: that would part everything shared with later screens into chunks of its own. */
async function start() {
  trustOwnStyles();
  await setLanguage(boot.lang, messageCatalog);
  // LINE's kit rewrites the address, so it goes before the router.
  if (liffId) await enterInsideLine(liffId).catch(() => undefined);
  rememberWantedPage(location.search);

  const client = newQueryClient(boot);
  const router = newRouter();
  watchSession(client, router);
  await mountApp({ boot, client, router: appRouter(router) });
}

/** Inside LINE the person is known already; when LINE does not answer or say who, the home asks. */
async function enterInsideLine(id: string) {
  const idToken = (await device(id)).idToken();
  if (!idToken || session.token('agent')) return;
  await signInAgentInsideLine(idToken, id);
}

/** The end of a session leads to the home, which says so and offers the way back here. */
function watchSession(client: QueryClient, router: Router) {
  if (!liffId) return;
  session.onExpired((_audience, silent) => {
    const to = `/weloveagent/${liffId}/home`;
    const { href: next, pathname } = router.state.location;
    // Several calls may end at once, and the first has said why.
    if (router.history.location.pathname === to && pathname !== to) return;
    client.clear();
    void router.navigate({ to, search: { ...(silent ? {} : { reason: 'over' }), next } as never, replace: true });
  });
  // Out of reach is not signed out: the first call that matters will say.
  if (session.token('agent')) void recheck('agent', liffId).catch(() => undefined);
}
