import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Goes to an address, once: the router's own component would go again each time that it is drawn. */
export function Elsewhere({ to }: { to: string }) {
  const { history } = useRouter();
  useEffect(() => history.replace(to), [history, to]);
  return null;
}
