import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { MoneyBar, MoneyMark } from '@wlv/ui/money-bar';
import { Price } from '@wlv/ui/price';
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { RecordCard } from '../../record/record-frame.tsx';
import { isAnswered, type RunStory } from './payout-states.ts';

/** What a run is of, in words: how many of whom or what. */
function useCounted(kind: RunStory['record']['kind']) {
  const { t } = useLingui();
  const refunds = kind === 'refund';
  return {
    paid: (n: number) =>
      refunds
        ? t`Paid: ${plural(n, { one: '# transfer', other: '# transfers' })}`
        : t`Paid to ${plural(n, { one: '# payee', other: '# payees' })}`,
    failed: (n: number) =>
      refunds
        ? t`Back in Wallets: ${plural(n, { one: '# transfer', other: '# transfers' })}`
        : t`Not paid to ${plural(n, { one: '# payee', other: '# payees' })}`,
    waiting: (n: number) =>
      refunds
        ? t`No answer yet for ${plural(n, { one: '# transfer', other: '# transfers' })}`
        : t`No answer yet for ${plural(n, { one: '# payee', other: '# payees' })}`,
    net: (n: number) =>
      refunds
        ? t`Into bank accounts, ${plural(n, { one: '# transfer', other: '# transfers' })}`
        : t`Into the accounts of ${plural(n, { one: '# payee', other: '# payees' })}`,
  };
}

/** Where the money of a run goes: the parts add up to the sum below them. */
export function RunSums({ story }: { story: RunStory }) {
  const { t } = useLingui();
  const { record } = story;
  const counted = useCounted(record.kind);
  const { payees, paid_count: paid, failed_count: failed } = record;
  const answered = isAnswered(record);
  const waiting = payees - paid - failed;
  const withheld = {
    key: 'withheld',
    name: t`Tax withheld`,
    satang: record.withheld_satang,
    colour: 'bg-warn',
  };
  const parts = answered
    ? [
        {
          key: 'paid',
          name: counted.paid(paid),
          satang: story.paid_satang,
          colour: 'bg-brand-mark',
        },
        {
          key: 'failed',
          name: counted.failed(failed),
          satang: story.failed_satang,
          colour: 'bg-bad',
        },
        {
          key: 'waiting',
          name: counted.waiting(waiting),
          satang: record.net_satang - story.paid_satang - story.failed_satang,
          colour: 'bg-input',
        },
        { ...withheld, name: t`Tax withheld, as it was booked` },
      ]
    : [
        {
          key: 'net',
          name: counted.net(payees),
          satang: record.net_satang,
          colour: 'bg-brand-mark',
        },
        withheld,
        { key: 'back', name: t`Carried over`, satang: -story.taken_back_satang, colour: 'bg-info' },
        {
          key: 'out',
          name: t({ message: 'Left out', context: 'a payout' }),
          satang: story.left_out_satang,
          colour: 'bg-input',
        },
      ];
  const shown = parts.filter(({ satang, key }) => satang > 0 || key === 'net' || key === 'paid');
  const sum = shown.reduce((all, { satang }) => all + satang, 0);
  return (
    <RecordCard title={answered ? t`Paid, as the bank or somebody here has said` : t`To be transferred`}>
      <p className="mb-3 text-money font-semibold">
        <Price satang={answered ? story.paid_satang : record.net_satang} />
      </p>
      <MoneyBar parts={shown} className="mb-3" />
      <dl className="grid gap-2">
        {shown.map(({ key, name, satang, colour }) => (
          <div key={key} className="flex items-center gap-2">
            <MoneyMark colour={colour} />
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="ml-auto font-medium">{amount(satang)}</dd>
          </div>
        ))}
        <div className="mt-1 flex justify-between gap-2 border-t pt-2.5 font-semibold">
          <dt>
            {record.kind === 'refund'
              ? t`All refunds`
              : answered
                ? t`Commission after what was carried over`
                : t`All commission`}
          </dt>
          <dd>{amount(sum)}</dd>
        </div>
      </dl>
    </RecordCard>
  );
}

/** What was looked at before money leaves. */
export function Checks({ story }: { story: RunStory }) {
  const { t } = useLingui();
  const { checks, record, alone } = story;
  const approved = record.state !== 'draft';
  if (record.payees === 0) return null;
  return (
    <RecordCard title={t`Before it goes to the bank`}>
      <ul className="grid gap-2.5">
        {checks.map(({ what, good, of }) => (
          <Check key={what} is={good === of ? 'good' : 'bad'}>
            {what === 'approved_account'
              ? t`Paid to an account that was approved: ${good} of ${of}`
              : t`With an account that nobody else in this run has: ${good} of ${of}`}
          </Check>
        ))}
        <Check is={!approved ? 'open' : alone ? 'bad' : 'good'}>
          {!approved
            ? t`A second person approves it`
            : alone
              ? t`One person drafted and approved it, for want of another`
              : t`A second person has approved it`}
        </Check>
      </ul>
    </RecordCard>
  );
}

function Check({ is, children }: { is: 'good' | 'bad' | 'open'; children: ReactNode }) {
  const { t } = useLingui();
  const [Icon, colour, word] = {
    good: [CircleCheck, 'text-ok-text', t({ message: 'Good', context: 'a check' })],
    bad: [TriangleAlert, 'text-warn-text', t({ message: 'Please look', context: 'a check' })],
    open: [CircleDashed, 'text-quiet', t({ message: 'Still to come', context: 'a check' })],
  }[is] as [typeof CircleCheck, string, string];
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden className={`mt-0.5 size-[18px] shrink-0 ${colour}`} />
      <span>
        <span className="sr-only">{word}: </span>
        {children}
      </span>
    </li>
  );
}
