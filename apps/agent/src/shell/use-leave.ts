import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '@wlv/client/sign-in';
import { useState } from 'react';
import { useArea } from '../area.tsx';

/** Signs out and goes to the home, which says so. */
export function useLeave() {
  const { go } = useArea();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);

  const leave = async () => {
    setLeaving(true);
    await signOut('agent');
    client.clear();
    await go('home', { reason: 'out' }, { replace: true });
  };
  return { leave: () => void leave(), leaving };
}
