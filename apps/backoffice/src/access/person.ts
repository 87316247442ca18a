import { useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { session } from '@wlv/client/session';
import { type Area, useArea } from '../area.ts';

/** v see and export, i add, u change, s change status; a approve, of admins only. */
export type Letter = 'v' | 'i' | 'u' | 's' | 'a';

/** Asks the server whose session this is; it is asked on entry, and again when a set of rights was changed. */
function personQuery(area: Area) {
  return {
    queryKey: ['person', area],
    queryFn: async () => {
      const token = session.token(area) ?? '';
      return call('/api/authen/rechecktoken', { token }, { as: area }).catch((error) => {
        // Somebody may have signed in anew meanwhile; that session is not over.
        if (error instanceof ApiError && error.sessionExpired && session.token(area) === token) session.expire(area);
        throw error;
      });
    },
    staleTime: 300_000,
  };
}

/** Who is signed in here, and what he may do. */
export function usePerson() {
  const area = useArea();
  const { data } = useSuspenseQuery(personQuery(area));
  const { profile, org } = data;
  const letters: Record<string, string[]> = org ? org.permission.mod : data.permission_admin;
  const everything = !org && data.role === 'superadmin';
  return {
    name: profile?.displayName ?? '',
    picture: profile?.pictureUrl ?? '',
    /** Signs in by a user name and a password, and not by LINE alone. */
    hasPassword: profile?.type === 'user',
    org,
    line: data.line,
    can: (module: string, letter: Letter) => everything || (letters[module] ?? []).includes(letter),
  };
}
