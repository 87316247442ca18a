import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { FormError } from '@wlv/ui/field';
import { ApiError } from './api-error.ts';

/** A list of choices as useQuery gives it. */
interface Asked {
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * Beside a list of choices that did not load: the list is empty, its form goes on, and this asks for it again. What a person
 * may not see is no failure: asking again would not help.
 */
export function RetryOptions({ of }: { of: Asked }) {
  const { t } = useLingui();
  if (!of.error || (of.error instanceof ApiError && of.error.code === 403)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <FormError>{t`These did not load.`}</FormError>
      <Button variant="outline" size="row" disabled={of.isFetching} onClick={() => void of.refetch()}>
        {t`Try again`}
      </Button>
    </div>
  );
}
