import '@wlv/ui/theme.css';
import type { QueryClient } from '@tanstack/react-query';
import { type AppRouter, mountApp } from '@wlv/client/app';
import { readBoot } from '@wlv/client/boot';
import { setLanguage } from '@wlv/client/language';
import { newQueryClient } from '@wlv/client/query-client';
import { writeSearch } from '@wlv/client/search';
import { session } from '@wlv/client/session';
import { trustOwnStyles } from '@wlv/ui/nonce';
import { messageCatalog } from './messages.ts';
import { newRouter } from './routes.tsx';

const boot = readBoot('customer');
const liffId = /^\/(?:welovevoucher|tradeuser|transferuser)\/(\d+-\w+)/.exec(location.pathname)?.[1];
const key = liffId ?? boot.org?.unique;

/** Not every visit signs in: the first script is lighter without it. */
const signIn = () => import('@wlv/client/sign-in');

void start();

/** Not awaited at the top of the module: that would part everything shared with later screens into chunks of its own. */
async function start() {
  trustOwnStyles();
  if (key) session.enableVisitors(async () => (await signIn()).visit(key));
  await setLanguage(boot.lang, messageCatalog);
  // LINE's kit rewrites the address, so it goes before the router.
  if (liffId && boot.org) await enterInsideLine(liffId, boot.org.unique);
  rememberAddress();

  const client = newQueryClient(boot);
  const router = await newRouter(boot.org ? 'shop' : 'platform');
  watchSession(client, router);
  await mountApp({ boot, client, router });
}

/** Kept for after signing in. */
function rememberAddress() {
  const search = new URLSearchParams(location.search);
  for (const [name, stored] of [
    ['page', 'paramspage'],
    ['ref', 'ref'],
  ] as const) {
    const value = search.get(name);
    if (value) localStorage.setItem(stored, value);
  }
}

/** Inside LINE the person is known already; when LINE does not say who, the sign-in page asks. */
async function enterInsideLine(liffId: string, unique: string) {
  const { device } = await import('@wlv/client/device');
  const idToken = (await device(liffId)).idToken();
  if (!idToken || session.token('user')) return;
  await (await signIn()).signInInsideLine(idToken, unique).catch(() => undefined);
}

/** The end of a session leads to the area's home, which says so and offers the way back here. */
function watchSession(client: QueryClient, router: AppRouter) {
  session.onExpired((_audience, silent) => {
    const base = liffId ? `/welovevoucher/${liffId}` : '/user';
    // Several calls may end at once, and the first has said why.
    const { pathname, search, hash } = location;
    if (!pathname.startsWith(base) || pathname === `${base}/home`) return;
    client.clear();
    const reason = silent ? undefined : 'over';
    router.replace(`${base}/home${writeSearch({ reason, next: pathname + search + hash })}`);
  });
  // Out of reach is not signed out: the first call that matters will say.
  if (key && session.token('user')) {
    void signIn().then(({ recheck }) => recheck('user', liffId).catch(() => undefined));
  }
}
