import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type PluginOption } from 'vite';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache/first-screen/', import.meta.url));

/** The screens that the server paints (api/pages), and the modules whose scripts come with each beside those of every page. */
const screens = {
  market: ['/market-page.tsx'],
  package: ['/package-page.tsx'],
  front: ['/site/routes.tsx', '/site-frame.tsx', '/shop-home-page.tsx'],
  site: ['/site/routes.tsx', '/site-frame.tsx'],
};

/**
 * Writes first-screen.json beside index.html: the customer's first screens as markup with holes, which the server fills, and
 * what comes with them. It marks in index.html what may wait until the first screen is seen: the server puts that into a
 * template on the pages that it paints.
 */
export function firstScreen(base: string, plugins: () => PluginOption[]): Plugin {
  return {
    name: 'first-screen',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          /<script type="module"[^>]*><\/script>(?:\s*<link rel="modulepreload"[^>]*>)*/,
          (tags) => `<!--app-->${tags}<!--/app-->`,
        ),
    },
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      /** The chunk of a module, and all that it imports at once. */
      const closure = (module: string) => {
        const files = new Set<string>();
        const follow = (chunk: (typeof chunks)[number] | undefined) => {
          if (!chunk || files.has(chunk.fileName)) return;
          files.add(chunk.fileName);
          for (const next of chunk.imports) follow(chunks.find(({ fileName }) => fileName === next));
        };
        follow(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))));
        if (!files.size) throw new Error(`first-screen: the bundle has no ${module}`);
        return [...files].map((file) => base + file);
      };
      const first = closure('/src/main.ts');
      const beside = (modules: string[]) =>
        [...new Set(modules.flatMap(closure))].filter((file) => !first.includes(file));

      const painted = await rendered(base, plugins);
      for (const [, file] of JSON.stringify(painted).matchAll(new RegExp(`${base}([^"\\\\ ]+)`, 'g'))) {
        if (file && !bundle[file]) throw new Error(`first-screen: the bundle has no ${file}`);
      }
      const source = JSON.stringify({
        start: closure('/src/first-screen/start.ts')[0],
        scripts: Object.fromEntries(Object.entries(screens).map(([name, modules]) => [name, beside(modules)])),
        ...painted,
      });
      this.emitFile({ type: 'asset', fileName: 'first-screen.json', source });
    },
  };
}

/** What the customer's app renders by itself; and into .cache what the server's test compares its own pages with. */
async function rendered(base: string, plugins: () => PluginOption[]) {
  await build({
    configFile: false,
    root: `${workspace}customer`,
    base,
    logLevel: 'warn',
    plugins: plugins(),
    build: {
      ssr: 'src/first-screen/index.ts',
      outDir: cache,
      emptyOutDir: true,
      assetsInlineLimit: 1024,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'index.mjs' } },
    },
    ssr: { noExternal: true },
  });
  const app: typeof import('../customer/src/first-screen/index.ts') = await import(
    `${pathToFileURL(`${cache}index.mjs`)}?${Date.now()}`
  );
  const { languages, blocks, sitePages, thaiRules, monogramRules, phoneRules } = app;
  const result = { blocks: {}, site: {}, thai: thaiRules, monogram: monogramRules, phone: phoneRules };
  for (const lang of languages) {
    Object.assign(result.blocks, { [lang]: await blocks(lang) });
    Object.assign(result.site, { [lang]: await sitePages(lang) });
  }
  await mkdir(cache, { recursive: true });
  await writeFile(`${cache}trials.json`, JSON.stringify(await app.trials(360)));
  return result;
}
