import { Link, type LinkProps, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { session } from '@wlv/client/session';
import { type ReactNode, useCallback } from 'react';
import type { Page, PageName } from './pages.ts';

type Search = Record<string, string | undefined>;

/** All screens stand under `/weloveagent/{liffId}`; a page is named without it. */
export function useArea() {
  const { liffId = '' } = useParams({ strict: false });
  const [, , , page] = useLocation().pathname.split('/');
  const navigate = useNavigate();

  const path = useCallback((name: Page) => `/weloveagent/${liffId}/${name}`, [liffId]);
  const go = useCallback(
    (name: PageName, search: Search = {}, options: { replace?: boolean } = {}) =>
      navigate({ to: path(name), search, ...options } as never),
    [navigate, path],
  );
  return { liffId, page, path, go, signedIn: session.token('agent') !== null };
}

/** A link to a page of this area. */
export function AreaLink({
  page,
  children,
  ...props
}: { page: Page; children: ReactNode; className?: string } & { 'aria-current'?: 'page' | undefined }) {
  const { path } = useArea();
  return <Link {...({ to: path(page), search: {}, ...props } as LinkProps)}>{children}</Link>;
}
