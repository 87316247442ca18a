import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('../customer/src/features/gift/cards/', import.meta.url));

/** Puts the cards of gifts beside index.html as they are drawn: the server makes pictures of them (api/pages), for chats. */
export function cards(): Plugin {
  return {
    name: 'cards',
    async generateBundle() {
      for (const name of await readdir(folder)) {
        this.emitFile({ type: 'asset', fileName: `cards/${name}`, source: await readFile(folder + name) });
      }
    },
  };
}
