import { useLocation } from '@tanstack/react-router';

/** The three back offices; each has its own session. */
export type Area = 'owner' | 'staff' | 'admin';

/** The address each begins with, and where it goes when nothing more is said. */
export const areas: Record<Area, { base: string; home: string }> = {
  owner: { base: '/owner', home: '/owner/main' },
  staff: { base: '/staff', home: '/staff/scanqrcode' },
  admin: { base: '/advwsadmin', home: '/advwsadmin/organize_list' },
};

function areaOf(pathname: string): Area {
  const [, first] = pathname.split('/');
  if (first === 'staff') return 'staff';
  return first === 'advwsadmin' ? 'admin' : 'owner';
}

export function useArea() {
  return areaOf(useLocation().pathname);
}
