/** Installs the service worker for the pages under an area's base, where the browser has one. LINE's has none, and a private window may refuse. */
export async function registerServiceWorker(base: string) {
  const scope = `${base}/`;
  await navigator.serviceWorker?.register('/user/service-worker.js', { scope }).catch(() => undefined);
}
