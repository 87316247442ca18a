import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useSignedIn } from '@wlv/client/use-signed-in';

export function useProfile() {
  const signedIn = useSignedIn('user');
  return useQuery({ ...query('/api/user/profile/customer', {}), enabled: Boolean(signedIn), staleTime: 300_000 });
}
