import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { usePage, useTitle } from '@wlv/client/page';
import { finishLine } from '@wlv/client/sign-in';
import { Button } from '@wlv/ui/button';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { useEffect } from 'react';

/** Where LINE comes back to, with a code or with the person's refusal. The gate then looks where he wanted to be. */
export function CallbackPage() {
  const { t } = useLingui();
  const router = useRouter();
  const { code, state } = useSearch({ strict: false }) as { code?: string; state?: string };
  useTitle(t`Sign in`);

  const finish = useQuery({
    queryKey: ['line-callback', state],
    queryFn: () => finishLine({ area: 'weloveagent', code: code ?? '', state: state ?? '' }),
    enabled: Boolean(code && state),
    // A code works once.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (finish.data) router.history.replace(finish.data);
  }, [finish.data, router]);

  if (!code) return <Failed line={t`You did not finish signing in at LINE. Nothing has changed.`} />;
  if (finish.isError) return <CallbackError error={finish.error} />;
  return (
    <main role="status" className="grid min-h-dvh content-center justify-items-center gap-4">
      <WaitingRing size={36} />
      <p className="text-row text-muted-foreground">{t`Signing you in…`}</p>
    </main>
  );
}

function CallbackError({ error }: { error: unknown }) {
  const { i18n } = useLingui();
  return <Failed line={errorSentence(i18n, error)} />;
}

function Failed({ line }: { line: string }) {
  const { t } = useLingui();
  const liffId = usePage().org?.liff.agent;
  return (
    <main className="grid min-h-dvh content-center justify-items-center">
      <ErrorState title={t`You are not signed in yet`} line={line} />
      {liffId && (
        <Button asChild>
          <a href={`/weloveagent/${liffId}/home`}>{t`Sign in again`}</a>
        </Button>
      )}
    </main>
  );
}
