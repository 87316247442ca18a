import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, errorSentence, isFault } from '@wlv/client/api-error';
import { ErrorState } from '@wlv/ui/state';
import { useEffect } from 'react';
import { useProfile } from './profile.ts';

/** What a screen shows when it could not be read: what happened, and another try. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t, i18n } = useLingui();
  const asking = useNoLongerAgent(error);
  if (asking) return null;

  const reference = error instanceof ApiError ? error.reference : undefined;
  // Reading moves no money, so the sentence about charging would only frighten.
  const unexplained = !(error instanceof ApiError) || error.fault === 'internal';
  return (
    <ErrorState
      title={title}
      line={
        unexplained ? t`Nothing of yours is lost. It may only be the signal; try again.` : errorSentence(i18n, error)
      }
      onRetry={onRetry}
      {...(reference ? { reference } : {})}
    />
  );
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
