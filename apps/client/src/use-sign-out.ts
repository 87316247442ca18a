import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReplace } from './replace.ts';
import type { Audience } from './session.ts';
import { signOut } from './sign-in.ts';

/** Ends the session and leaves for this path, the area's entry, which says so. */
export function useSignOut(audience: Audience, entry: string) {
  const replace = useReplace();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);

  const leave = async () => {
    setLeaving(true);
    await signOut(audience);
    client.clear();
    replace(`${entry}?reason=out`);
  };
  return { leave: () => void leave(), leaving };
}
