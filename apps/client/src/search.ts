/** What is asked for behind the `?` of an address; what is undefined or empty is left out. */
export type Search = Record<string, unknown>;

/** Reads it as it stands there: text stays text, twenty digits of a code too. */
export function readSearch(search: string) {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    // What no screen reads as one text is kept as a list, so that it is not lost when the address is written again.
    given[name] = name.endsWith('[]') ? [given[name] ?? [], value].flat() : value;
  }
  return given;
}

/** Writes it with its `?`; nothing where nothing is asked for. */
export function writeSearch(search: Search) {
  const given = Object.entries(search).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const said = given.filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(said as [string, string][]).toString();
  return text ? `?${text}` : '';
}
