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
type Choice = Pick<Push, 'off' | 'every_use'>;

const topics: { topic: Topic; title: MessageDescriptor; line: MessageDescriptor }[] = [
  { topic: 'gifts', title: msg`Gifts`, line: msg`Somebody accepted yours, or it came back to you.` },
  { topic: 'sales', title: msg`Sold`, line: msg`A voucher that you sell on has a new owner.` },
  {
    topic: 'money',
    title: msg`Money`,
    line: msg`Money came back into your Wallet, or the shop has decided on a use that was not yours.`,
  },
  {
    topic: 'end_days',
    title: msg`Last days`,
    line: msg`A voucher ends in 7 days, or tomorrow. Points lapse in 30 or 7 days.`,
  },
  {
    topic: 'uses',
    title: msg({ message: 'Uses', context: 'LINE messages' }),
    line: msg`A voucher of yours was used at a place where you had never been, or for a large sum: was it you?`,
  },
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
    mutationFn: (choice: Choice) => call('/api/user/push/save', choice),
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
  const { off, every_use } = choose.isPending ? choose.variables : push.data;
  const without = (topic: Topic) => off.filter((other) => other !== topic);
  return (
    <div className="grid gap-3.5 pb-6">
      <FaultNote error={choose.error} />
      <Card className="divide-y px-4">
        {topics.map(({ topic, title, line }) => (
          <Row
            key={topic}
            name={topic}
            title={i18n._(title)}
            line={i18n._(line)}
            on={!off.includes(topic)}
            disabled={choose.isPending}
            onChange={(on) => choose.mutate({ every_use, off: on ? without(topic) : [...off, topic] })}
          />
        ))}
        <Row
          name="every_use"
          title={t`Every use`}
          line={t`Also at places that you know, and of any worth.`}
          on={every_use && !off.includes('uses')}
          disabled={choose.isPending}
          onChange={(on) => choose.mutate({ every_use: on, off: on ? without('uses') : off })}
        />
      </Card>
      <p className="text-caption text-quiet">
        {t`Between 21:00 and 8:00 only what cannot wait is sent: that a voucher of yours was used, or put on hold. Everything stands in your inbox.`}
      </p>
    </div>
  );
}

/** One choice with its switch. */
function Row({
  name,
  title,
  line,
  on,
  disabled,
  onChange,
}: {
  name: string;
  title: string;
  line: string;
  on: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <label htmlFor={name} className="flex items-center gap-4 py-3.5">
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{title}</span>
        <span className="block text-caption text-muted-foreground">{line}</span>
      </span>
      <Switch id={name} checked={on} disabled={disabled} onCheckedChange={onChange} />
    </label>
  );
}
