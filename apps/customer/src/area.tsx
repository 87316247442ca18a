import { Link, useParams, useRouter } from '@wlv/client/router';
import { type ComponentProps, useCallback } from 'react';
import type { SitePath } from './features/site/routes.tsx';

/** Where a customer's paths begin. */
export const customerAreas = ['user', 'welovevoucher', 'trade', 'tradeuser', 'transfer', 'transferuser'] as const;

/** The pages of an area as routes.tsx names them: `$name` stands for one part of the path. */
export type PagePath =
  | 'home'
  | 'market'
  | 'market/$packageId'
  | 'cart'
  | 'order/$orderId'
  | 'activevoucher'
  | 'activevoucher/$voucherId'
  | 'activevoucher/$voucherId/use'
  | 'activevoucher/$voucherId/qr'
  | 'history'
  | 'wallet'
  | 'wallet/topup'
  | 'wallet/topup/$topupId'
  | 'profile'
  | 'profile/edit'
  | 'faq'
  | 'mydata'
  | 'consents';

/** Any text in the place of each `$name`. */
type Filled<Path extends string> = Path extends `${infer Before}$${infer Name}`
  ? `${Before}${string}${Name extends `${string}/${infer After}` ? `/${Filled<After>}` : ''}`
  : Path;

/** A page of an area as it is gone to, named without its base: `market`, `wallet/topup`. */
export type Page = Filled<PagePath>;

declare module '@wlv/client/routes' {
  interface Register {
    address: `/user/${Page}` | `/welovevoucher/${string}/${Page}` | SitePath | `/partner#${string}`;
  }
}

type Search = Record<string, string | undefined>;

/** The same screens stand under `/user` and under `/welovevoucher/{liffId}`, the app inside LINE. */
export function useArea() {
  const { liffId } = useParams<'liffId'>();
  const router = useRouter();
  const base = liffId ? (`/welovevoucher/${liffId}` as const) : '/user';

  const path = useCallback(<Name extends Page>(page: Name) => `${base}/${page}` as const, [base]);
  const go = useCallback(
    (page: Page, search: Search = {}, options: { replace?: boolean } = {}) =>
      router.go(path(page), { search, ...options }),
    [router, path],
  );
  return { liffId, path, go };
}

/** A link to a page of this area. */
export function AreaLink({
  page,
  ...props
}: Omit<ComponentProps<typeof Link>, 'to' | 'search'> & { page: Page; search?: Search }) {
  const { path } = useArea();
  return <Link to={path(page)} {...props} />;
}
