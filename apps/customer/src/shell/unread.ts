import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { useQuiet } from './quiet.ts';

/** How many messages of the inbox the person has not seen; 0 until it is known. */
export function useUnread() {
  const signedIn = useSignedIn('user');
  const quiet = useQuiet();
  const unread = useQuery({
    ...query('/api/user/message/unread', {}),
    enabled: Boolean(signedIn && quiet),
    staleTime: 300_000,
  });
  return unread.data?.count ?? 0;
}
