/**
 * A path of ours with its query and its hash, in one of these areas (`user`, `owner`, …); null when it is missing or leads anywhere
 * else. It is read as the browser reads it: `/\host` and a tab between two slashes name another site.
 */
export function ownPath(wanted: string | null | undefined, areas: readonly string[]): string | null {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  const [before, area = ''] = pathname.split('/');
  return origin === location.origin && before === '' && areas.includes(area) ? pathname + search + hash : null;
}

const stored = (key: string) => `return:${key}`;

/** Keeps a path in this tab while the person is at LINE, and answers its name there. */
export function keepReturn(path: string): string {
  const key = crypto.randomUUID();
  sessionStorage.setItem(stored(key), path);
  return key;
}

/** The path of that name, once. */
export function takeReturn(key: string | undefined): string | null {
  if (!key) return null;
  const path = sessionStorage.getItem(stored(key));
  sessionStorage.removeItem(stored(key));
  return path;
}
