import { useSyncExternalStore } from 'react';
import { type Audience, session } from './session.ts';

/** Says whether somebody is signed in. It is undefined on a page as the server wrote it, which is the same for everybody. */
export function useSignedIn(audience: Audience): boolean | undefined {
  return useSyncExternalStore(
    subscribe,
    () => session.token(audience) !== null,
    () => undefined,
  );
}

/** Who signs in or out goes to another page, which asks again. */
const subscribe = () => () => undefined;
