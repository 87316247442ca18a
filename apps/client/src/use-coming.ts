import { type ComponentType, useEffect, useState } from 'react';
import type { Coming } from './routes.ts';

/** A part of a page that comes when it is wanted. What did not come, as without a connection, is asked for at the next touch. */
export function useComing<Props>(load: Coming<Props>, wanted: boolean) {
  const [Part, setPart] = useState<ComponentType<Props>>();
  const missing = wanted && !Part;
  useEffect(() => {
    if (!missing) return;
    const ask = () => {
      load().then(
        (part) => setPart(() => part),
        () => undefined,
      );
    };
    ask();
    addEventListener('pointerdown', ask);
    return () => removeEventListener('pointerdown', ask);
  }, [load, missing]);
  return wanted ? Part : undefined;
}
