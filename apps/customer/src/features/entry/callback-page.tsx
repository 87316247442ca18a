import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { useTitle } from '@wlv/client/page';
import { finishLine } from '@wlv/client/sign-in';
import { Button } from '@wlv/ui/button';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { useEffect } from 'react';

/** A path into the customer's areas: `?page=` is anybody's word, and `//host` would be another site. */
const ours = /^\/(?:user|welovevoucher|trade|tradeuser|transfer|transferuser)(?:[/?]|$)/;

/** Where LINE comes back to, with a code or with the person's refusal. */
export function CallbackPage() {
  const { t } = useLingui();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { code?: string; state?: string };
  const [, , area] = useLocation().pathname.split('/');
  useTitle(t`Sign in`);

  const finish = useQuery({
    queryKey: ['line-callback', search.state],
    queryFn: () =>
      finishLine({
        area: area === 'welovevoucher' ? area : 'user',
        code: search.code ?? '',
        state: search.state ?? '',
      }),
    enabled: Boolean(search.code && search.state),
    // A code works once.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (!finish.data) return;
    const wanted = localStorage.getItem('paramspage');
    localStorage.removeItem('paramspage');
    router.history.replace(wanted && ours.test(wanted) ? wanted : finish.data);
  }, [finish.data, router]);

  if (!search.code) return <Failed line={t`You did not finish signing in at LINE. Nothing has changed.`} />;
  if (finish.isError) return <CallbackError error={finish.error} />;
  return (
    <div role="status" className="grid min-h-dvh content-center justify-items-center gap-4">
      <WaitingRing size={36} />
      <p className="text-row text-muted-foreground">{t`Signing you in…`}</p>
    </div>
  );
}

function CallbackError({ error }: { error: unknown }) {
  const { i18n } = useLingui();
  return <Failed line={errorSentence(i18n, error)} />;
}

function Failed({ line }: { line: string }) {
  const { t } = useLingui();
  return (
    <div className="grid min-h-dvh content-center justify-items-center">
      <ErrorState title={t`You are not signed in yet`} line={line} />
      <Button asChild>
        <a href="/user/home">{t`Sign in again`}</a>
      </Button>
    </div>
  );
}
