import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Audience } from './session.ts';
import { signOut } from './sign-in.ts';

/** Ends the session and leaves for this path, the area's entry, which says so (specification 2.8). */
export function useSignOut(audience: Audience, entry: string) {
  const router = useRouter();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);

  const leave = async () => {
    setLeaving(true);
    await signOut(audience);
    client.clear();
    router.history.replace(`${entry}?reason=out`);
  };
  return { leave: () => void leave(), leaving };
}
