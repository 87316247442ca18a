import type { QueryClient } from '@tanstack/react-query';
import { ApiError, wasAnswered } from '@wlv/client/api-error';
import { session } from '@wlv/client/session';
import { type Area, areas } from '../area.ts';
import type { newRouter } from '../routes.tsx';

/**
 * Who is signed in could not be asked: he signs in anew. Without an answer the screen says
 * that there is no connection, with another try.
 */
function leaveWhenUnknown(client: QueryClient, router: ReturnType<typeof newRouter>) {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error' || event.query.state.data) return;
    const [key, area] = event.query.queryKey as ['person', Area];
    const { error } = event.action;
    if (key !== 'person' || !wasAnswered(error) || (error instanceof ApiError && error.sessionExpired)) return;
    const { href } = router.state.location;
    const gone = router.navigate({ to: areas[area].entry, search: { reason: 'profile', next: href }, replace: true });
    void gone.then(() => client.clear());
  });
}

/** The end of a session leads to the area's sign-in page, which says so and offers the way back here. Returns how to stop. */
export function redirectWhenExpired(client: QueryClient, router: ReturnType<typeof newRouter>) {
  const stop = leaveWhenUnknown(client, router);
  const stopExpired = session.onExpired((audience, silent) => {
    if (audience === 'user' || audience === 'agent') return;
    const { base, entry } = areas[audience];
    const { href } = router.state.location;
    // As it is going to be: several calls may end at once, and the first has said why.
    const { pathname } = router.history.location;
    if (!pathname.startsWith(base) || pathname === entry) return;
    client.clear();
    void router.navigate({ to: entry, search: { ...(silent ? {} : { reason: 'over' }), next: href }, replace: true });
  });
  return () => {
    stop();
    stopExpired();
  };
}
