/** Installs the service worker where the browser has one. LINE's browser has none, and a private window may refuse. */
export async function registerServiceWorker() {
  await navigator.serviceWorker?.register('/user/service-worker.js').catch(() => undefined);
}
