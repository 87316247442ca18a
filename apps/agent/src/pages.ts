/** The screens of an agent's app, as they stand in the address. */
const pageNames = ['home', 'history', 'payouts', 'profile', 'register'] as const;
export type PageName = (typeof pageNames)[number];

/** A screen, or the record that it shows one of. */
export type Page = PageName | `payouts/${string}`;

const stored = 'paramspage';

/** `?page=` is where the person wants to be once he is signed in. */
export function rememberWantedPage(search: string) {
  const page = new URLSearchParams(search).get('page');
  if (page) localStorage.setItem(stored, page);
}

/** The page that was wanted, once: by its name or its whole path. Null when none was, or it is no screen of agents. */
export function takeWantedPage(): PageName | null {
  const wanted = localStorage.getItem(stored);
  localStorage.removeItem(stored);
  const name = /^(?:\/weloveagent\/[^/]+\/)?(\w+)$/.exec(wanted ?? '')?.[1];
  return pageNames.find((page) => page === name) ?? null;
}
