import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useBrand, usePage } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { Handshake } from 'lucide-react';
import { InnerPage } from '../../shell/inner.tsx';

type Standing = Detail<'/api/user/agent/get'>;

/** How far the person is on the way to sell, and the way to the agents' app. */
export function AgentPage() {
  const { t } = useLingui();
  const standing = useQuery(query('/api/user/agent/get', {}));
  return (
    <InnerPage title={t`Agent`} parent="profile">
      {standing.isPending && <Skeleton className="h-48 rounded-card" />}
      {standing.isError && (
        <Failure title={t`This did not load`} error={standing.error} onRetry={() => void standing.refetch()} />
      )}
      {standing.data && <Shown standing={standing.data} />}
    </InnerPage>
  );
}

function Shown({ standing }: { standing: Standing }) {
  const { t } = useLingui();
  const brand = useBrand();
  const liffId = usePage().org?.liff.liffagent;
  const { state, sent_at: sent, reason, early } = standing;
  const at = sent ? dateTime(sent) : '';
  const words: Record<Standing['state'], [title: string, line: string, button: string]> = {
    '': [t`Sell for ${brand}`, t`Share links and earn commission for what your customers buy.`, t`Become an agent`],
    draft: [t`Your form is kept`, t`Go on where you stopped.`, t`Go on with the form`],
    pending: [
      t`Waits for the shop`,
      t`You sent your form ${at}. We tell you in LINE when it is answered.`,
      t`Look at it`,
    ],
    approved: [
      t`You sell for ${brand}`,
      early
        ? t`Send your details and your account, so that you can be paid.`
        : t`Your links and your commission are in the agents' app.`,
      t`To the agents' app`,
    ],
    refused: [
      t`Something is left to mend`,
      reason ? `“${reason}”` : t`Nobody answered within 30 days. You can send it again.`,
      t`Mend it`,
    ],
    suspended: [
      t`The shop has paused your selling`,
      t`Your links do not sell for now. What you have earned stays yours.`,
      t`To the agents' app`,
    ],
    left: [t`You don't sell any more`, t`What you have earned is still paid.`, t`Apply again`],
  };
  const [title, line, button] = words[state];
  return (
    <Card className="grid justify-items-start gap-4 p-5">
      <span className="grid size-12 place-items-center rounded-tile bg-accent text-accent-foreground">
        <Handshake aria-hidden className="size-6" />
      </span>
      <div>
        <h2 className="text-h2 font-semibold">{title}</h2>
        <p className="mt-1 text-row text-muted-foreground">{line}</p>
      </div>
      {liffId ? (
        <Button asChild wide>
          <a href={`/weloveagent/${liffId}/home`}>{button}</a>
        </Button>
      ) : (
        <p className="text-row text-quiet">{t`This shop has no app for agents yet. Ask its staff.`}</p>
      )}
    </Card>
  );
}
