import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { signOut } from '@wlv/client/sign-in';
import { areas, useArea } from '../area.ts';

/** Ends the session and leaves for the area's entry, which says so (specification 2.8). */
export function useSignOut() {
  const area = useArea();
  const router = useRouter();
  const client = useQueryClient();
  return async () => {
    await signOut(area);
    client.clear();
    router.history.replace(`${areas[area].base}/loginpage?reason=out`);
  };
}
