import { useLocation } from '@tanstack/react-router';

/** The three back offices; each has its own session. */
export type Area = 'owner' | 'staff' | 'admin';

/** The address each begins with, where one signs in, and where it goes when nothing more is said. */
export const areas = {
  owner: { base: '/owner', entry: '/owner/loginpage', home: '/owner/main' },
  staff: { base: '/staff', entry: '/staff/loginpage', home: '/staff/scanqrcode' },
  admin: { base: '/advwsadmin', entry: '/advwsadmin/loginpage', home: '/advwsadmin/main' },
} as const satisfies Record<Area, { base: string; entry: string; home: string }>;

function areaOf(pathname: string): Area {
  const [, first] = pathname.split('/');
  if (first === 'staff') return 'staff';
  return first === 'advwsadmin' ? 'admin' : 'owner';
}

export function useArea() {
  return areaOf(useLocation().pathname);
}
