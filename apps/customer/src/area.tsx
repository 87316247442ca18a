import { Link, useParams, useRouter } from '@wlv/client/router';
import { type ComponentProps, useCallback } from 'react';
import type { Page } from './pages.ts';

type Search = Record<string, string | undefined>;

/** The same screens stand under `/user` and under `/welovevoucher/{liffId}`, the app inside LINE. */
export function useArea() {
  const { liffId } = useParams<'liffId'>();
  const router = useRouter();
  const base = liffId ? (`/welovevoucher/${liffId}` as const) : ('/user' as const);

  const path = useCallback(<Name extends Page>(page: Name) => `${base}/${page}` as const, [base]);
  const go = useCallback(
    (page: Page, search: Search = {}, options: { replace?: boolean } = {}) =>
      router.go(path(page), { search, ...options }),
    [router, path],
  );
  return { liffId, base, path, go };
}

/** A link to a page of this area. */
export function AreaLink({
  page,
  ...props
}: Omit<ComponentProps<typeof Link>, 'to' | 'search'> & { page: Page; search?: Search }) {
  const { path } = useArea();
  return <Link to={path(page)} {...props} />;
}
