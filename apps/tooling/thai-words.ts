import type { Plugin } from 'vite';
import { wholeWords } from '../ui/src/format/thai.ts';

/** A sentence as Lingui compiles it: text, and among it placeholders with their forms. */
type Compiled = string | Compiled[] | { [form: string]: Compiled };

/** Keeps words whole in the long sentences of the Thai catalogues. Stands after Lingui's plugin, which compiles them. */
export function thaiWords(): Plugin {
  return {
    name: 'thai-words',
    transform(code, id) {
      if (!id.endsWith('/th.po')) return null;
      const [, json] = /JSON\.parse\((".*")\)/s.exec(code) ?? [];
      if (!json) throw new Error(`${id}: Lingui compiles catalogues in another form than thai-words knows`);
      const messages: Record<string, Compiled> = JSON.parse(JSON.parse(json));
      const whole = Object.entries(messages).map(([key, message]) => [key, joined(message, lengthOf(message))]);
      return {
        code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(whole)))})`,
        map: null,
      };
    },
  };
}

function joined(message: Compiled, length: number): Compiled {
  if (typeof message === 'string') return wholeWords(message, length);
  if (Array.isArray(message)) return message.map((part) => joined(part, length));
  if (message && typeof message === 'object') {
    return Object.fromEntries(Object.entries(message).map(([form, part]) => [form, joined(part, length)]));
  }
  return message;
}

function lengthOf(message: Compiled): number {
  if (typeof message === 'string') return message.length;
  if (message && typeof message === 'object')
    return Object.values(message).reduce((sum: number, part) => sum + lengthOf(part), 0);
  return 0;
}
