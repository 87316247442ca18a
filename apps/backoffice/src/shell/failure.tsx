import { useLingui } from '@lingui/react/macro';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { ErrorState } from '@wlv/ui/state';

/** What a screen shows when it could not be read: what happened, and another try. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { i18n } = useLingui();
  const reference = error instanceof ApiError ? error.reference : undefined;
  return (
    <ErrorState
      title={title}
      line={errorSentence(i18n, error)}
      onRetry={onRetry}
      {...(reference ? { reference } : {})}
    />
  );
}
