import { readFile } from 'node:fs/promises';
import { formatter } from '@lingui/format-po';
import {
  ChevronLeft,
  ChevronRight,
  Flame,
  Search,
  Share2,
  ShoppingBag,
  SlidersHorizontal,
  Store,
  Ticket,
  User,
} from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';

/** What the server needs to paint the customer's first screen (api/pages/first.html): Thai sentences, icons, and the script that begins. */
const icons = {
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  flame: Flame,
  search: Search,
  'share-2': Share2,
  'shopping-bag': ShoppingBag,
  'sliders-horizontal': SlidersHorizontal,
  store: Store,
  ticket: Ticket,
  user: User,
};

/**
 * Writes first-screen.json beside index.html, and marks in there what may wait until the first screen is seen: the server
 * puts it into a template on the pages that it paints.
 */
export function firstScreen(base: string, catalogues: string[]): Plugin {
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
      const beside = (module: string) => closure(module).filter((file) => !first.includes(file));
      const source = JSON.stringify({
        start: closure('/src/start.ts')[0],
        market: beside('/market-page.tsx'),
        package: beside('/package-page.tsx'),
        thai: Object.assign({}, ...(await Promise.all(catalogues.map(sentences)))),
        icons: Object.fromEntries(Object.entries(icons).map(([name, icon]) => [name, inside(icon)])),
      });
      this.emitFile({ type: 'asset', fileName: 'first-screen.json', source });
    },
  };
}

/** English -> Thai. */
async function sentences(file: string) {
  const { parse } = formatter();
  const catalogue = await parse(await readFile(file, 'utf8'), { locale: 'th', sourceLocale: 'en', filename: file });
  return Object.fromEntries(Object.values(catalogue).map(({ message, translation }) => [message, translation]));
}

function inside(icon: typeof Store) {
  return renderToStaticMarkup(createElement(icon)).replace(/^<svg[^>]*>|<\/svg>$/g, '');
}
