import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { LineButton } from '@wlv/client/entry/line-button';
import { pick } from '@wlv/client/language';
import { usePage, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { useEffect, useState } from 'react';
import { Preferences } from '../../shell/preferences.tsx';
import { forgetInvitation, takeInvitation } from './invitation-token.ts';

/** Where an invited person reads who invites him, and joins by LINE. */
export function RegisterPage() {
  const { t, i18n } = useLingui();
  useTitle(t`Join the team`);
  const [token] = useState(takeInvitation);
  const invitation = useQuery({
    ...query('/api/authen/registeruser/invitation', { token }),
    enabled: Boolean(token),
    retry: false,
  });
  // Code 0: no answer came, so the link may still be good.
  const refused = invitation.error instanceof ApiError && invitation.error.code !== 0;
  useEffect(() => {
    if (refused) forgetInvitation();
  }, [refused]);

  if (!token || invitation.isError) {
    return (
      <main className="grid min-h-dvh content-center justify-items-center">
        <ErrorState
          title={t`This invitation does not open`}
          line={
            invitation.isError
              ? errorSentence(i18n, invitation.error)
              : t`Open the link that you were given once more, or ask for a new one.`
          }
          {...(refused || !token ? {} : { onRetry: () => void invitation.refetch() })}
        />
        <Button asChild variant="outline">
          <a href="/owner/loginpage">{t`Go to sign in`}</a>
        </Button>
      </main>
    );
  }
  if (invitation.isPending) {
    return (
      <main role="status" aria-label={t`Loading…`} className="grid min-h-dvh content-center justify-items-center">
        <WaitingRing size={36} />
      </main>
    );
  }
  return <Join token={token} invitation={invitation.data} />;
}

function Join({
  token,
  invitation,
}: {
  token: string;
  invitation: { name: string; area: 'owner' | 'staff'; expires_at: string; name_th: string; name_en: string };
}) {
  const { t, i18n } = useLingui();
  const { org } = usePage();
  const brand = pick(invitation, 'name', i18n.locale);
  const { name } = invitation;
  const until = dateTime(invitation.expires_at);
  return (
    <main className="mx-auto grid min-h-dvh max-w-[420px] content-center gap-5 px-4 py-10">
      <header className="grid justify-items-center gap-1 text-center">
        <OrgMark logo={org?.logo_url} name={brand} size={64} />
        <h1 className="mt-3 text-h1 font-semibold">{t`${brand} invites you`}</h1>
        <p className="text-row text-muted-foreground">
          {invitation.area === 'staff' ? t`to scan vouchers at the counter` : t`to the back office`}
        </p>
      </header>
      <Card className="grid gap-4 p-6">
        <p className="text-row">
          {t`Hello ${name}. From now on you sign in with your own LINE account, and nobody else can.`}
        </p>
        <LineButton
          label={t`Join with LINE`}
          start={{ audience: invitation.area, returnTo: `/${invitation.area}`, office: { invitation: token } }}
        />
        <p className="text-center text-caption text-quiet">{t`The invitation is good until ${until}.`}</p>
      </Card>
      <Preferences className="justify-self-center" />
    </main>
  );
}
