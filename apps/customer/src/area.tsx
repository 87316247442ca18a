import { Link, type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import { session } from '@wlv/client/session';
import { type ReactNode, useCallback } from 'react';

/** Where a customer's paths begin. */
export const customerAreas = ['user', 'welovevoucher', 'trade', 'tradeuser', 'transfer', 'transferuser'] as const;

type Search = Record<string, string | undefined>;

/**
 * The same screens stand under `/user` and under `/welovevoucher/{liffId}`, the app inside LINE.
 * A page is named without its base: `market`, `wallet/topup`.
 */
export function useArea() {
  const { liffId } = useParams({ strict: false });
  const navigate = useNavigate();
  const base = liffId ? `/welovevoucher/${liffId}` : '/user';

  const path = useCallback((page: string) => `${base}/${page}`, [base]);
  const go = useCallback(
    (page: string, search: Search = {}, options: { replace?: boolean } = {}) =>
      navigate({ to: path(page), search, ...options } as never),
    [navigate, path],
  );
  return {
    liffId,
    path,
    go,
    signedIn: session.token('user') !== null,
  };
}

/** A link to a page of this area. */
export function AreaLink({
  page,
  search = {},
  children,
  ...props
}: { page: string; search?: Search; children: ReactNode; className?: string; replace?: boolean } & Pick<
  LinkProps,
  'preload'
> & { 'aria-label'?: string; 'aria-current'?: 'page' | undefined }) {
  const { path } = useArea();
  return <Link {...({ to: path(page), search, ...props } as LinkProps)}>{children}</Link>;
}
