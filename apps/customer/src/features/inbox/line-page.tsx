import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { Card } from '@wlv/ui/card';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Switch } from '@wlv/ui/switch';
import { InnerPage } from '../../shell/inner.tsx';
import { AddFriend } from './add-friend.tsx';
import { type Push, readPush, usePush } from './push.ts';

type Topic = Push['off'][number];

const topics: { topic: Topic; title: MessageDescriptor; line: MessageDescriptor }[] = [
  { topic: 'gifts', title: msg`Gifts`, line: msg`Somebody accepted yours, or it came back to you.` },
  { topic: 'sales', title: msg`Sold`, line: msg`A voucher that you sell on has a new owner.` },
  { topic: 'money', title: msg`Money`, line: msg`Money came back into your Wallet.` },
  { topic: 'end_days', title: msg`Last days`, line: msg`A voucher ends in 7 days, or tomorrow.` },
];

/** What of the inbox comes to LINE as well. */
export function LinePage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`LINE messages`} parent="inbox">
      <AddFriend />
      <Topics />
    </InnerPage>
  );
}

function Topics() {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const push = usePush();
  const choose = useMutation({
    mutationFn: (off: Topic[]) => call('/api/user/push/save', { off }),
    onSuccess: (now) => client.setQueryData(readPush.queryKey, now),
  });
  if (push.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (push.isError) {
    return <Failure title={t`This did not load`} error={push.error} onRetry={() => void push.refetch()} />;
  }
  if (!push.data.sends) {
    return (
      <p className="text-muted-foreground">{t`This shop sends nothing to LINE. Everything stands in your inbox.`}</p>
    );
  }
  // What was chosen shows at once, and goes back where the call fails.
  const off = choose.isPending ? choose.variables : push.data.off;
  return (
    <div className="grid gap-3.5 pb-6">
      <FaultNote error={choose.error} />
      <Card className="divide-y px-4">
        {topics.map(({ topic, title, line }) => (
          <label key={topic} htmlFor={topic} className="flex items-center gap-4 py-3.5">
            <span className="min-w-0 flex-1">
              <span className="block text-row font-medium">{i18n._(title)}</span>
              <span className="block text-caption text-muted-foreground">{i18n._(line)}</span>
            </span>
            <Switch
              id={topic}
              checked={!off.includes(topic)}
              disabled={choose.isPending}
              onCheckedChange={(on) => choose.mutate(on ? off.filter((other) => other !== topic) : [...off, topic])}
            />
          </label>
        ))}
      </Card>
      <p className="text-caption text-quiet">
        {t`Between 21:00 and 8:00 only what cannot wait is sent. When a voucher of yours is put on hold, that is sent at any hour. Everything stands in your inbox.`}
      </p>
    </div>
  );
}
