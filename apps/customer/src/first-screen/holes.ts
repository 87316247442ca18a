const open = '\ue000';
const close = '\ue001';

/** A text that stands for one that is not known yet. It passes through components as any other does. */
export const hole = (name: string) => `${open}${name}${close}`;

/** What a hole of another kind of value looks like once a component has written it. */
export interface Prints {
  /** Between tags, where a number stands by itself. */
  texts: Record<string, string>;
  /** Anywhere, in addresses too. */
  anywhere: Record<string, string>;
}

/** Cuts markup into texts and the names of the holes between them, in turns; it begins and ends with a text. */
export function cut(markup: string, { texts, anywhere }: Prints) {
  const given = Object.entries(anywhere).reduce(
    (result, [print, name]) => result.replaceAll(print, hole(name)),
    markup.replaceAll(encodeURIComponent(open), open).replaceAll(encodeURIComponent(close), close),
  );
  // The longest first: an amount holds its baht.
  const numbers = Object.keys(texts).sort((a, b) => b.length - a.length);
  const number = new RegExp(`(?<![\\w.,])(${numbers.join('|').replaceAll('.', '\\.')})(?![\\w])`, 'g');
  const marked = given
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replace(number, (print) => hole(texts[print] ?? print))))
    .join('');
  return marked.split(new RegExp(`${open}|${close}`));
}
