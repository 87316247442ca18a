import { useLingui } from '@lingui/react/macro';
import { usePage, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { EmptyState } from '@wlv/ui/state';

/** An address outside of `/weloveagent/{liffId}`; where the shop is known, its agent app is one tap away. */
export function NoSuchPage() {
  const { t } = useLingui();
  const liffId = usePage().org?.liff.liffagent;
  useTitle(t`Not found`);
  return (
    <main className="grid min-h-dvh content-center">
      <EmptyState
        title={t`This page does not exist`}
        line={t`Check the link, or ask the shop for the one of its agent app.`}
        action={
          liffId && (
            <Button asChild>
              <a href={`/weloveagent/${liffId}/home`}>{t`To the agent app`}</a>
            </Button>
          )
        }
      />
    </main>
  );
}
