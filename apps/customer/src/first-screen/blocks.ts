import type { Language } from '@wlv/client/boot';
import { examples, type Face, prints } from './examples.tsx';
import { cut, hole } from './holes.ts';
import { renderer } from './render.tsx';

/** A block's faces, each as texts and the names of the holes between them, in turns. */
type Block = Record<string, string[]>;

/** Renders every example and cuts it where values and other blocks come. */
export async function blocks(lang: Language) {
  const render = renderer(lang);

  async function face(name: string, { page, part, blocks = {} }: Face) {
    let markup = await render(page, part);
    for (const [block, within] of Object.entries(blocks)) {
      const row = await render(page, within);
      if (!row || !markup.includes(row))
        throw new Error(`the example of ${name} has no ${block} as it is rendered by itself`);
      // Rows that follow each other look the same here.
      markup = markup.replace(row, () => hole(`#${block}`)).replaceAll(row, '');
    }
    return cut(markup, prints);
  }

  const result: Record<string, Block> = {};
  for (const [name, faces] of Object.entries(examples)) {
    const block: Block = {};
    for (const [key, example] of Object.entries(faces)) block[key] = await face(`${name} (${key})`, example);
    result[name] = block;
  }
  return result;
}
