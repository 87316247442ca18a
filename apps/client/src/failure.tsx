import { useLingui } from '@lingui/react/macro';
import { ErrorState } from '@wlv/ui/state';
import { ApiError, errorSentence, isFault } from './api-error.ts';
import { faultSentence } from './faults.ts';
import { usePage } from './page.tsx';

/** What a screen shows when it could not be read: what happened, and another try. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t, i18n } = useLingui();
  const reference = error instanceof ApiError ? error.reference : undefined;
  // Reading moves no money, so the sentence about charging would only frighten.
  const unexplained = !(error instanceof ApiError) || error.fault === 'internal';
  // What was read is named by the page's address alone: one that is no id, as a link cut off has, is of nothing there is.
  const sentence = isFault(error, 'input.invalid') ? faultSentence(i18n, 'not_found') : errorSentence(i18n, error);
  // There stand a shop's places with their phones, or the platform's; the office has its own line for help.
  const contact = usePage().area !== 'backoffice';
  return (
    <ErrorState
      title={title}
      line={unexplained ? t`Nothing of yours is lost. It may only be the signal; try again.` : sentence}
      onRetry={onRetry}
      {...(reference ? { reference } : {})}
      help={
        contact && (
          <a href="/contact" className="underline">
            {t`Contact`}
          </a>
        )
      }
    />
  );
}
