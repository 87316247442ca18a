import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
} from 'react';
import type { AppRouter } from './app.tsx';
import type { Address, Place, Route } from './routes.ts';
import { type Search, writeSearch } from './search.ts';

export interface Router extends AppRouter {
  go: (to: Address, options?: { search?: Search; replace?: boolean }) => Promise<void>;
  /** Goes back; where nothing of this app is behind, to this page. */
  back: (otherwise: Address) => void;
  /** Asks for the script of a page that may be gone to. */
  prepare: (href: string) => void;
  /** Asks before the page is left. It returns how to stop. */
  hold: (mayLeave: () => boolean) => () => void;
}

/** The page that is shown. Without a screen it is one whose script did not come. */
export interface Shown extends Place {
  route: Route;
  params: Record<string, string>;
  asked: Search;
  Frame?: ComponentType<{ children: ReactNode }> | undefined;
  Screen?: ComponentType | undefined;
  /** How far down it is read from; undefined leaves the person where he is. */
  top: number | undefined;
}

export const Current = createContext<(Shown & { router: Router }) | null>(null);

function useCurrent() {
  const current = use(Current);
  if (!current) throw new Error('this stands outside of a router');
  return current;
}

export const useRouter = () => useCurrent().router;
export const useFacts = () => useCurrent().route.facts ?? {};
export const useLocation = (): Place => useCurrent();
/** What the `$name`s of the route stand for. */
export const useParams = <Name extends string>() => useCurrent().params as Partial<Record<Name, string>>;
export const useSearch = <Asked extends object>() => useCurrent().asked as Partial<Asked>;

/** Asks before the person leaves a page by a link, by going back or by closing it, as long as there is something to lose. */
export function useHold(losing: boolean, mayLeave: () => boolean) {
  const { hold } = useRouter();
  useEffect(() => {
    if (!losing) return;
    const stop = hold(mayLeave);
    const closing = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', closing);
    return () => {
      stop();
      removeEventListener('beforeunload', closing);
    };
  });
}

/** A link within the app. With a key held, another button of the mouse or no script it is the browser's. `back` goes back where something of this app is behind. */
export function Link({
  to,
  search = {},
  replace = false,
  back = false,
  onClick,
  ...rest
}: Omit<ComponentProps<'a'>, 'href' | 'target' | 'download'> & {
  to: Address;
  search?: Search;
  replace?: boolean;
  back?: boolean;
}) {
  const { router, pathname } = useCurrent();
  const href = to + writeSearch(search);
  const prepare = () => router.prepare(href);

  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (defaultPrevented || button || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    if (back) router.back(to);
    else void router.go(to, { search, replace });
  };
  return (
    <a
      aria-current={href === pathname ? 'page' : undefined}
      onPointerEnter={prepare}
      onFocus={prepare}
      {...rest}
      href={href}
      onClick={click}
    />
  );
}
