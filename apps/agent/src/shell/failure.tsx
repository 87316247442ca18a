import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { Failure as Shared } from '@wlv/client/failure';
import { type ComponentProps, useEffect } from 'react';
import { profileKey } from './profile.ts';

/** The failure that all apps show; but an agent who is none any more does not read so here, he goes to `register`. */
export function Failure(props: ComponentProps<typeof Shared>) {
  const asking = useNoLongerAgent(props.error);
  return asking ? null : <Shared {...props} />;
}

/**
 * The shop may have taken the approval back: the profile says so, and the gate then sends to `register`. It is only watched
 * here: to ask for a profile that failed would begin everything anew, and end in this failure again.
 */
function useNoLongerAgent(error: unknown) {
  const refused = isFault(error, 'agent.not_approved');
  const client = useQueryClient();
  const asking = useIsFetching({ queryKey: profileKey }) > 0;
  useEffect(() => {
    if (refused) void client.invalidateQueries({ queryKey: profileKey });
  }, [refused, client]);
  return refused && asking;
}
