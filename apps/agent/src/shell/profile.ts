import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { useArea } from '../area.tsx';

const profilePath = '/api/agent/profile/agent';
export const profileKey = [profilePath];

export function useProfile() {
  const { signedIn } = useArea();
  return useQuery({ ...query(profilePath, {}), enabled: signedIn, staleTime: 300_000 });
}

/** Who is none is refused what only agents may ask; where the profile does not come, the answers say who he is. */
export function useMayAsk() {
  const { data, failureCount } = useProfile();
  return data?.agent ?? failureCount > 0;
}

type Profile = Detail<'/api/agent/profile/agent'>;

/** What he is called: the name he gave the shop, or LINE's. */
export function nameOf({ firstname, lastname, displayName }: Profile) {
  return [firstname, lastname].filter(Boolean).join(' ') || displayName;
}
