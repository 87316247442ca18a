import type { QueryClient } from '@tanstack/react-query';
import { session } from '@wlv/client/session';
import { areas } from './area.ts';
import type { newRouter } from './routes.tsx';

/** The end of a session leads to the area's sign-in page, which says so and offers the way back here. Returns how to stop. */
export function leaveWhenOver(client: QueryClient, router: ReturnType<typeof newRouter>) {
  return session.onOver((audience) => {
    if (audience === 'user' || audience === 'agent') return;
    const { base, entry } = areas[audience];
    const { pathname, href } = router.state.location;
    if (!pathname.startsWith(base) || pathname === entry) return;
    client.clear();
    void router.navigate({ to: entry, search: { reason: 'over', next: href }, replace: true });
  });
}
