import type { Plugin } from 'vite';

/** The screens that open without a connection, and what each of them asks for when it comes. */
const modules = [
  '/src/main.ts',
  '/voucher/vouchers-page.tsx',
  '/voucher/voucher-page.tsx',
  '/voucher/use-page.tsx',
  '/voucher/qr-page.tsx',
  '/customer/src/locales/th.po',
  '/customer/src/locales/en.po',
  '/features/locales/th.po',
  '/features/locales/en.po',
];

/** Fills the service worker (customer/src/offline/service-worker.ts) with the names of what it keeps. */
export function offline(base: string): Plugin {
  return {
    name: 'offline',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const files = new Set<string>();
      const follow = (chunk: (typeof chunks)[number] | undefined) => {
        if (!chunk || files.has(chunk.fileName)) return;
        files.add(chunk.fileName);
        for (const next of chunk.imports) follow(chunks.find(({ fileName }) => fileName === next));
      };
      for (const module of modules) {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
        if (!chunk) throw new Error(`offline: the bundle has no ${module}`);
        follow(chunk);
      }
      const entry = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/main.ts')));
      const serviceWorker = chunks.find(({ fileName }) => fileName === 'service-worker.js');
      if (!entry || !serviceWorker) throw new Error('offline: the bundle has no entry or no service worker');
      for (const file of Object.keys(bundle)) {
        if (/\/index-[^/]*\.css$|\/noto-sans-thai-(thai|latin)-wght-[^/]*\.woff2$/.test(`/${file}`)) files.add(file);
      }
      serviceWorker.code = serviceWorker.code
        .replaceAll('OFFLINE_FILES', JSON.stringify([...files].sort().map((file) => base + file)))
        .replaceAll('OFFLINE_ENTRY', JSON.stringify(base + entry.fileName));
    },
  };
}
