import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Button } from '@wlv/ui/button';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { useEffect } from 'react';
import { errorSentence } from '../api-error.ts';
import { useTitle } from '../page.tsx';
import { useReplace } from '../replace.ts';

/** Where LINE comes back to, with a code or with the person's refusal. */
export function LineCallback({
  brought: { code = '', state = '' },
  finish,
  again,
  signedIn,
}: {
  /** What stands in the address. */
  brought: { code?: string; state?: string };
  /** Trades what LINE brought for a session; answers the address where the person goes on. */
  finish: (brought: { code: string; state: string }) => Promise<string>;
  /** Where he can sign in once more, if that is known. */
  again: string | undefined;
  /** Where he goes on whose code is refused and who is signed in already: he came back by the browser's own button. */
  signedIn?: string | undefined;
}) {
  const { t, i18n } = useLingui();
  const replace = useReplace();
  useTitle(t`Sign in`);

  const finished = useQuery({
    queryKey: ['line-callback', state],
    queryFn: () => finish({ code, state }),
    enabled: Boolean(code && state),
    // A code works once.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const onward = finished.data ?? (finished.isError ? signedIn : undefined);
  useEffect(() => {
    if (onward) replace(onward);
  }, [onward, replace]);

  if (onward || (code && !finished.isError)) {
    return (
      <main role="status" className="grid min-h-dvh content-center justify-items-center gap-4">
        <WaitingRing size={36} />
        <p className="text-row text-muted-foreground">{t`Signing you in…`}</p>
      </main>
    );
  }
  return (
    <main className="grid min-h-dvh content-center justify-items-center">
      <ErrorState
        title={t`You are not signed in yet`}
        line={
          finished.isError
            ? errorSentence(i18n, finished.error)
            : t`You did not finish signing in at LINE. Nothing has changed.`
        }
      />
      {again && (
        <Button asChild>
          <a href={again}>{t`Sign in again`}</a>
        </Button>
      )}
    </main>
  );
}
