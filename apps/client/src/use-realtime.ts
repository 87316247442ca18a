import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Audience } from './session.ts';

/** While the screen stands, what happens elsewhere makes it read anew. */
export function useRealtime(audience: Audience, on = true) {
  const client = useQueryClient();
  useEffect(() => {
    if (!on) return;
    const stop = import('./realtime.ts').then(({ listen }) => listen(client, audience));
    return () => void stop.then((close) => close());
  }, [client, audience, on]);
}
