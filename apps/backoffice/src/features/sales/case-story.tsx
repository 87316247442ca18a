import { Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Clock, Landmark, Snowflake, Undo2 } from 'lucide-react';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { WhoAndWhen } from '../../record/who-and-when.tsx';
import { Facts } from '../../resource/facts.tsx';
import { caseKinds, caseStates, voucherStates } from '../../resource/status-labels.tsx';
import { DecideCase } from './decide-case.tsx';

type Story = StoryOf<'case'>;

/** Money that was asked back after it was spent: what is on hold for it, who owes it, what happens by itself, and the decision. */
export default function CaseStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = caseStates[record.state];
  const kind = caseKinds[record.kind];
  return (
    <>
      <RecordHead
        name={record.reference}
        picture={
          <span className="grid size-[62px] shrink-0 place-items-center rounded-touch bg-warn-soft text-warn-text">
            {record.kind === 'dispute' ? (
              <Landmark aria-hidden className="size-7" />
            ) : (
              <Undo2 aria-hidden className="size-7" />
            )}
          </span>
        }
        title={<Price satang={record.amount_satang} />}
        chips={
          <>
            {state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
            {kind && <Chip>{i18n._(kind.title)}</Chip>}
          </>
        }
        line={<WhoAndWhen customer={record.customer_id} name={record.customer_name} at={record.opened_at} />}
      />
      <RecordFigures
        figures={[
          { name: t`Still owed`, value: <Price satang={record.owed_satang} /> },
          { name: t`On hold for it`, value: <Price satang={record.owed_satang - story.debt_satang} /> },
          { name: t`The customer owes`, value: <Price satang={story.debt_satang} /> },
        ]}
      />
      <RecordColumns
        facts={
          <>
            <DecideCase story={story} />
            <Payment story={story} />
            <Agents story={story} />
          </>
        }
      >
        <ByItself story={story} />
        <Held story={story} />
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** What happens when nobody does anything. */
function ByItself({ story: { record, dispute, debt_satang } }: { story: Story }) {
  const { t } = useLingui();
  const icon = <Clock aria-hidden />;
  if (record.kind === 'wrong_sum' && record.state === 'open') {
    return (
      <Note tone="warn" icon={icon} title={t`Paid with another sum`}>
        {t`Nothing was credited. Ask the payment company.`}
      </Note>
    );
  }
  if (dispute === 'open') {
    return (
      <Note tone="warn" icon={icon} title={t`The customer's bank decides`}>
        {t`Answer it at the payment company. If the shop wins, what is on hold is released by itself. If it loses, what is on hold is cancelled and covers the sum as far as it goes; the customer owes the rest.`}
      </Note>
    );
  }
  if (record.state === 'open' && record.due_at) {
    const due = dateTime(record.due_at);
    return (
      <Note tone="warn" icon={icon} title={t`On ${due} the shop bears it by itself`}>
        {t`From what it has earned, unless it was covered or decided before. What is on hold is released then.`}
      </Note>
    );
  }
  if (debt_satang === 0) return null;
  return (
    <Note tone="info" icon={icon} title={t`The customer owes the rest`}>
      {t`Until it is paid, this customer cannot buy. The next money that comes into the wallet pays it.`}
    </Note>
  );
}

/** What is on hold. */
function Held({ story: { held } }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  if (!held.length) return null;
  return (
    <RecordCard title={t`On hold for it`}>
      <ul className="divide-y">
        {held.map((one) => {
          const state = voucherStates[one.state];
          return (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
              <span className="flex min-w-0 items-center gap-3">
                <Snowflake aria-hidden className="size-5 shrink-0 text-quiet" />
                <span className="min-w-0">
                  <RecordLink table="voucher" id={one.id}>
                    {one.code}
                  </RecordLink>
                  <span className="block truncate text-caption text-quiet">
                    {text(one, 'name')} · {one.holder_name}
                  </span>
                </span>
              </span>
              {state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
            </li>
          );
        })}
      </ul>
    </RecordCard>
  );
}

/** The payment, and what was written off for it. */
function Payment({ story: { record, payment_satang, written_off } }: { story: Story }) {
  const { t } = useLingui();
  return (
    <RecordCard title={t`The payment`}>
      <Facts
        of={[
          [
            t`Number`,
            <RecordLink key="payment" table="depositqrtransaction" id={record.charge_id}>
              {record.reference}
            </RecordLink>,
          ],
          [t`Paid`, amount(payment_satang)],
          ...(record.decided_by_name ? [[t`Decided by`, record.decided_by_name] as const] : []),
          ...written_off.map(
            (one) =>
              [
                t`Written off`,
                t`${baht(one.amount_satang)}, ${one.asked_by_name} and ${one.approved_by_name}`,
              ] as const,
          ),
        ]}
      />
    </RecordCard>
  );
}

/** What agents wait for because of it. */
function Agents({ story: { agents } }: { story: Story }) {
  const { t } = useLingui();
  if (!agents.length) return null;
  return (
    <RecordCard title={t`Agents`}>
      {agents.map((one) => (
        <div key={one.order_id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-1">
          <span className="min-w-0">
            <RecordLink table="agent" id={one.agent_id}>
              {one.name}
            </RecordLink>
            <span className="block text-caption text-quiet">
              <Trans>
                Order{' '}
                <RecordLink table="orders" id={one.order_id}>
                  {one.number}
                </RecordLink>
              </Trans>
            </span>
          </span>
          <span className="text-right">
            {baht(one.commission_satang)}
            <span className="block text-caption text-quiet">
              {one.reversed_satang > 0 ? t`${baht(one.reversed_satang)} waits for it` : t`nothing waits for it`}
            </span>
          </span>
        </div>
      ))}
    </RecordCard>
  );
}
