import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { Boundary } from './boundary.tsx';
import { Current, type Router, type Shown } from './router.tsx';
import { bring, decoded, loadAnew, matcher, type Route } from './routes.ts';
import { readSearch, writeSearch } from './search.ts';

/** A router over the browser's history. It is small because the first screen waits for it; agent and office have TanStack's. */
export function createRouter(routes: Route[], Failed: ComponentType<{ onRetry: () => void }>): Router {
  const match = matcher(routes);
  const listeners = new Set<() => void>();
  /** How far down each entry of the history was read, and which entry is shown. */
  const tops: number[] = [];
  let at: number = history.state?.at ?? 0;
  let shown: Shown | undefined;
  let first: Promise<void> | undefined;
  let turn = 0;
  let mayLeave = () => true;

  /** Shows the page of the address: first its guard is asked, then its script comes. What was shown stays until then. */
  async function load(top?: number): Promise<void> {
    const mine = ++turn;
    const { pathname, search, hash } = location;
    const place = { pathname, search, hash, href: pathname + search + hash };
    const { route, params } = match(pathname);
    const { elsewhere, ...parts } = await bring(route, place);
    if (mine !== turn) return;
    if (elsewhere) return leave(elsewhere, true, top);
    const left = shown && shown.pathname !== pathname;
    shown = { ...place, ...parts, route, params, asked: readSearch(search), top: left ? top : undefined };
    for (const hear of listeners) hear();
  }

  /** Writes the address and shows its page; the same address again is no new entry of the history. */
  function leave(href: string, replace?: boolean, top = 0) {
    if (replace || new URL(href, location.href).href === location.href) {
      history.replaceState({ at }, '', href);
      return load(top);
    }
    history.pushState({ at: at + 1 }, '', href);
    tops.length = at;
    tops[at] = window.scrollY;
    at += 1;
    return load(top);
  }

  /** The person went back or forward, or to a part of the page: that is a new entry, without a number yet. */
  function moved() {
    const to: number = history.state?.at ?? at + 1;
    if (location.pathname !== shown?.pathname && !mayLeave()) return history.go(at - to);

    tops[at] = window.scrollY;
    at = to;
    history.replaceState({ at }, '');
    void load(tops[at]);
  }

  function subscribe(hear: () => void) {
    listeners.add(hear);
    addEventListener('popstate', moved);
    return () => {
      listeners.delete(hear);
      removeEventListener('popstate', moved);
    };
  }

  function Pages() {
    const now = useSyncExternalStore(
      subscribe,
      () => shown,
      () => shown,
    );
    useEffect(() => void router.load(), []);
    useLayoutEffect(() => now && scroll(now), [now]);
    if (!now) return null;
    const retry = () => void load();
    return (
      <ShownPage
        now={now}
        router={router}
        broken={<Failed onRetry={() => void loadAnew(now.href).then(retry)} />}
        missing={<Failed onRetry={retry} />}
      />
    );
  }

  const router: Router = {
    Pages,
    load: () => {
      first ??= load();
      return first;
    },
    replace: (href) => void (mayLeave() && leave(href, true)),
    go: async (to, { search = {}, replace } = {}) => {
      if (mayLeave()) await leave(to + writeSearch(search), replace);
    },
    back: (otherwise) => (at > 0 ? history.back() : void router.go(otherwise)),
    prepare: (href) =>
      void match(new URL(href, location.href).pathname)
        .route.screen?.()
        .catch(() => undefined),
    hold: (ask) => {
      mayLeave = ask;
      return () => {
        mayLeave = () => true;
      };
    },
  };
  history.replaceState({ at }, '');
  return router;
}

/** A page's screen in its frame. `broken` stands there when it could not be drawn, `missing` when its script did not come. */
export function ShownPage({
  now,
  router,
  broken,
  missing,
}: {
  now: Shown;
  router: Router;
  broken?: ReactNode;
  missing?: ReactNode;
}) {
  const { Frame, Screen } = now;
  const screen = (
    <Boundary of={now} otherwise={broken}>
      {Screen ? <Screen /> : missing}
    </Boundary>
  );
  return (
    <Current value={{ ...now, router }}>
      <Boundary of={now} otherwise={broken}>
        {Frame ? <Frame>{screen}</Frame> : screen}
      </Boundary>
    </Current>
  );
}

/** A new page is read from its top or from the part that its address names, one gone back to from where it was left. */
function scroll({ hash, top }: Shown) {
  const part = hash && !top && document.getElementById(decoded(hash.slice(1)));
  if (part) part.scrollIntoView();
  else if (top !== undefined) window.scrollTo(0, top);
}
