/** A theme's colours by token, as the server computes them of two; `examples.json` has some. */
export type Tokens = Record<string, string>;

const declarations = (tokens: Tokens) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** A theme as a style sheet: light, dark by choice (`data-theme`), dark by the device. Pages come with the same from the server. */
export function stylesheet({ day, night }: { day: Tokens; night: Tokens }) {
  const [light, dark] = [day, night].map(declarations);
  return `:root{${light}}:root[data-theme=dark]{${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}`;
}
