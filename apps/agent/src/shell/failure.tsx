import { useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { Failure as Shared } from '@wlv/client/failure';
import { type ComponentProps, useEffect } from 'react';
import { useProfile } from './profile.ts';

/** The failure that all apps show; but an agent who is none any more is not told so here, he goes to `register`. */
export function Failure(props: ComponentProps<typeof Shared>) {
  const asking = useNoLongerAgent(props.error);
  return asking ? null : <Shared {...props} />;
}

/** The shop may have taken the approval back: the profile says so, and the gate then sends to `register`. */
function useNoLongerAgent(error: unknown) {
  const refused = isFault(error, 'agent.not_approved');
  const client = useQueryClient();
  const profile = useProfile();
  useEffect(() => {
    if (refused) void client.invalidateQueries({ queryKey: ['/api/agent/profile/agent'] });
  }, [refused, client]);
  return refused && profile.isFetching;
}
