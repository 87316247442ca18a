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
import { forgetInvitation } from './invitation-token.ts';

/** Where each kind of login began. */
const entries = {
  owner: '/owner/loginpage',
  staff: '/staff/loginpage',
  advwsadmin: '/advwsadmin/loginpage',
  register: '/owner/register/staff',
};

function areaOf(name = ''): keyof typeof entries {
  return Object.hasOwn(entries, name) ? (name as keyof typeof entries) : 'owner';
}

/** Where LINE comes back to, with a code or with the person's refusal. */
export function CallbackPage() {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { code?: string; state?: string };
  const area = areaOf(useLocation().pathname.split('/')[2]);
  useTitle(t`Sign in`);

  const finish = useQuery({
    queryKey: ['line-callback', search.state],
    queryFn: () => finishLine({ area, code: search.code ?? '', state: search.state ?? '' }),
    enabled: Boolean(search.code && search.state),
    // A code works once.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (!finish.data) return;
    if (area === 'register') forgetInvitation();
    router.history.replace(finish.data);
  }, [area, finish.data, router]);

  if (search.code && !finish.isError) {
    return (
      <div role="status" className="grid min-h-dvh content-center justify-items-center gap-4">
        <WaitingRing size={36} />
        <p className="text-row text-muted-foreground">{t`Signing you in…`}</p>
      </div>
    );
  }
  return (
    <div className="grid min-h-dvh content-center justify-items-center">
      <ErrorState
        title={t`You are not signed in yet`}
        line={
          finish.isError
            ? errorSentence(i18n, finish.error)
            : t`You did not finish signing in at LINE. Nothing has changed.`
        }
      />
      <Button asChild>
        <a href={entries[area]}>{t`Sign in again`}</a>
      </Button>
    </div>
  );
}
