/// <reference lib="webworker" />

/**
 * The service worker of a phone's browser, for all of an organisation's pages under its scope: /user/, or the LINE app's address. It keeps the scripts of My vouchers,
 * the pictures seen there, and one page to put them in, so that a voucher is found without a connection. The page holds nothing
 * of a person; what he has is kept by offline/vouchers.ts. The market, money, and every call are always the server's.
 *
 * The build (tooling/offline.ts) fills in both names; with them each build's service worker is another.
 */
declare const self: ServiceWorkerGlobalScope;
/** What My vouchers needs: its scripts, style and letters. */
declare const OFFLINE_FILES: string[];
/** The script that a page of this build begins with. */
declare const OFFLINE_ENTRY: string;

export {};

const filesCache = `files:${OFFLINE_ENTRY}`;
const picturesCache = 'pictures';
const page = new URL('activevoucher', self.registration.scope).pathname;
const mostPictures = 60;

/** Milliseconds that a page is waited for while the kept one could be shown. */
const patience = 4_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const files = await caches.open(filesCache);
      await files.addAll(OFFLINE_FILES);
      if (!(await keepPage(await fetch(page)))) throw new Error('the page is of another build');
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name !== filesCache && name !== picturesCache) await caches.delete(name);
      }
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(showPage(event, pathname));
  else if (OFFLINE_FILES.includes(pathname)) event.respondWith(keptOr(filesCache, request));
  else if (pathname.startsWith('/media/')) event.respondWith(showPicture(request, event.clientId));
});

/** A page is kept only where its scripts are: after a release, until the new service worker is there, the old page stays. */
async function keepPage(answer: Response) {
  if (answer.status !== 200 || answer.redirected) return false;
  if (!(await answer.clone().text()).includes(OFFLINE_ENTRY)) return false;
  await (await caches.open(filesCache)).put(page, answer);
  return true;
}

/** The server's page where it comes; another than My vouchers is waited for as long as it takes. */
async function showPage({ request, preloadResponse }: FetchEvent, pathname: string) {
  const kept = await caches.match(page, { cacheName: filesCache, ignoreVary: true });
  const fresh = Promise.resolve(preloadResponse).then((answer?: Response) => answer ?? fetch(request));
  if (!kept) return fresh;
  const tooLong = new Promise<Response>((resolve) => {
    if (pathname.startsWith(page)) setTimeout(() => resolve(kept.clone()), patience);
  });
  try {
    const answer = await Promise.race([fresh, tooLong]);
    if (pathname === page) await keepPage(answer.clone());
    return answer;
  } catch {
    return kept; // there is no connection
  }
}

async function keptOr(cacheName: string, request: Request) {
  return (await caches.match(request, { cacheName, ignoreVary: true })) ?? fetch(request);
}

/** A picture's address names its content. Those of My vouchers are kept. */
async function showPicture(request: Request, client: string) {
  const kept = await caches.match(request, { cacheName: picturesCache, ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  const from = await self.clients.get(client);
  if (answer.ok && from && new URL(from.url).pathname.startsWith(page)) {
    const pictures = await caches.open(picturesCache);
    await pictures.put(request, answer.clone());
    const all = await pictures.keys();
    for (const old of all.slice(0, Math.max(0, all.length - mostPictures))) await pictures.delete(old);
  }
  return answer;
}
