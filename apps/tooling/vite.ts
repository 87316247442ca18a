import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, PluginOption, UserConfig } from 'vite';
import { linguiMacro } from './lingui-macro.ts';
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
const firstModules =
  /\/(client\/src\/(call|session|faults|api-error)|ui\/src\/components\/(button|state|drawings))\.tsx?$/;

const workspace = fileURLToPath(new URL('..', import.meta.url));

/** What every page, test and story of ours is built with. */
export function plugins(): PluginOption[] {
  return [linguiMacro(), react(), lingui({ cwd: workspace }), thaiWords(), tailwindcss()];
}

/** The configuration of one app: served under /assets/{app}/, built into dist/{app}; the server serves its index.html. */
export function app(name: 'customer' | 'agent' | 'backoffice'): UserConfig {
  return {
    base: `/assets/${name}/`,
    plugins: [...plugins(), preloadThai(`/assets/${name}/`)],
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
            : needed.filter((file) => !/\/(core|index|rolldown-runtime)-[^/]+\.js$/.test(file)),
      },
      target: 'es2022',
      assetsInlineLimit: 1024,
      chunkSizeWarningLimit: 400,
      rolldownOptions: {
        // How long each plugin took is news for who mends the build, not for who starts the platform.
        checks: { bundlerTimings: false },
        output: {
          // A part shared by many screens would be named after all of them.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          // Few files, each for a reason: what all screens stand on, and icons and parts that several share.
          codeSplitting: {
            groups: [
              { name: 'core', test: coreModules, priority: 2 },
              { name: 'first', test: firstModules, priority: 2 },
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
