import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, PluginOption, UserConfig } from 'vite';
import { cards } from './cards.ts';
import { firstScreen } from './first-screen.ts';
import { linguiMacro } from './lingui-macro.ts';
import { offline } from './offline.ts';
import { thaiWords } from './thai-words.ts';

/** The libraries of the first screen: they stay the same between our releases. What of them only forms need comes with forms. */
const coreModules = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|@tanstack|@lingui|use-sync-external-store|clsx|class-variance-authority|@radix-ui/react-(slot|compose-refs))/(?!.*(useBlocker|useMutation|mutationObserver))',
    'lucide-react/dist/esm/(?!icons)',
    'vite/preload-helper',
  ].join('|'),
);

/** Ours that the first screen needs and later ones share: in one file they are smaller than in six. */
const firstModules = new RegExp(
  [
    'client/src/(call|session|faults|api-error|media|failure|page|language|app|replace|router|create-router|routes|search|boundary|use-coming)\\.',
    'customer/src/(area|messages|shell/screen)\\.',
    'ui/src/(format/\\w+|components/(button|state|drawings|picture|price|icon-button|skeleton|org-mark))\\.',
    'lucide-react/dist/esm/icons/(refresh-cw|shopping-bag|store|ticket|user)\\.',
  ].join('|'),
);

/** The market, and what forms show like it: leaves, so that nothing else is drawn along. */
const marketModules = new RegExp(
  [
    'customer/src/(features/market/(market-page|listing|filter-sheet)|shop/package-tile)',
    'ui/src/components/(band|feature-ticket|filter-pill|package-card|search-field|ticket|badge|input|field-props)\\.',
    'lucide-react/dist/esm/icons/(chevron-right|log-in|plus|search|sliders-horizontal)\\.',
  ].join('|'),
);

/** What nearly all later screens of a phone show: a file each would cost more in headers than in content. */
const innerModules = new RegExp(
  [
    'client/src/device',
    'customer/src/(shell/inner|shop/(transfer-rule|after-expiry|refund-terms))',
    'ui/src/components/(action-foot|chip|fact|toast|top-bar)\\.',
    'lucide-react/dist/esm/icons/(calendar-check|chevron-left|flame|gift|hourglass|map-pin|rotate-ccw|share-2|shield-check|x)\\.',
  ].join('|'),
);

const workspace = fileURLToPath(new URL('..', import.meta.url));

/** What every page, test and story of ours is built with. */
export function plugins(): PluginOption[] {
  return [linguiMacro(), react(), lingui({ cwd: workspace }), thaiWords(), tailwindcss()];
}

/**
 * The configuration of one app: served under /assets/{app}/, built into dist/{app}; the server serves its index.html.
 * `painted` says that the server paints its first screens, and that it has a service worker.
 */
export function app(name: 'customer' | 'agent' | 'backoffice', painted = false): UserConfig {
  return {
    base: `/assets/${name}/`,
    plugins: [
      ...plugins(),
      preloadThai(`/assets/${name}/`),
      ...(painted ? [firstScreen(`/assets/${name}/`, plugins), offline(`/assets/${name}/`), cards()] : []),
    ],
    // React has it itself; the shim is for those before 18.
    resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
    build: {
      outDir: `${workspace}dist/${name}`,
      emptyOutDir: true,
      manifest: 'manifest.json',
      modulePreload: {
        polyfill: false,
        // What the first page has brought is there already when a later screen comes.
        resolveDependencies: (_file, needed, { hostType }) =>
          hostType === 'html'
            ? needed
            : needed.filter((file) => !/\/(core|first|index|rolldown-runtime)-[^/]+$/.test(file)),
      },
      target: 'es2022',
      assetsInlineLimit: 1024,
      chunkSizeWarningLimit: 400,
      rolldownOptions: {
        ...(painted
          ? {
              input: {
                index: `${workspace}${name}/index.html`,
                start: `${workspace}${name}/src/first-screen/start.ts`,
                'service-worker': `${workspace}${name}/src/offline/service-worker.ts`,
              },
            }
          : {}),
        // How long each plugin took is news for who mends the build, not for who starts the platform.
        checks: { bundlerTimings: false },
        output: {
          // The tables of the back office are shared by its first page and later ones, and are made of what that page has: without the order a table would be
          // made before what it needs.
          strictExecutionOrder: name === 'backoffice',
          // Browsers know a service worker by its address.
          entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
          // A part shared by many screens would be named after all of them.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          // Few files, each for a reason: what all screens stand on, and icons and parts that several share.
          codeSplitting: {
            groups: [
              { name: 'core', test: coreModules, priority: 4 },
              { name: 'first', test: firstModules, priority: 3 },
              ...(painted
                ? [
                    { name: 'market', test: marketModules, priority: 2 },
                    { name: 'inner', test: innerModules, priority: 2 },
                  ]
                : []),
              {
                name: 'icons',
                test: /lucide-react/,
                minShareCount: 2,
                priority: 1,
                entriesAware: true,
                entriesAwareMergeThreshold: 2500,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: Object.fromEntries(
        ['/api', '/media', '/socket.io'].map((path) => [
          path,
          { target: 'http://localhost:8080', ws: path === '/socket.io' },
        ]),
      ),
    },
  };
}

/** Asks for the Thai letters before the stylesheet has been read; the Latin file waits until it is needed. */
function preloadThai(base: string): Plugin {
  return {
    name: 'preload-thai',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => /noto-sans-thai-thai-.*\.woff2$/.test(file));
        if (!font) return [];
        const attrs = { rel: 'preload', href: base + font, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
