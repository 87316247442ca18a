import { useLingui } from '@lingui/react/macro';
import { useBankName } from '@wlv/client/bank';
import { Chip } from '@wlv/ui/chip';
import { dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Landmark, Wallet } from 'lucide-react';
import { CopyCode, RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { WhoAndWhen } from '../../record/who-and-when.tsx';
import { Facts } from '../../resource/facts.tsx';
import { transferStates } from '../../resource/status-labels.tsx';
import { EndTransfer } from './end-transfer.tsx';

type Story = StoryOf<'banktransfer'>;

/** A refund that the shop transfers: to which account, until when, and what became of it. */
export default function BankTransferStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = transferStates[record.state];
  const late = record.state === 'approved' && Date.parse(record.due_at) < Date.now();
  return (
    <>
      <RecordHead
        name={record.number}
        picture={
          <span className="grid size-[62px] shrink-0 place-items-center rounded-touch bg-accent text-accent-foreground">
            <Landmark aria-hidden className="size-7" />
          </span>
        }
        title={<Price satang={record.amount_satang} />}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        code={record.number}
        line={<WhoAndWhen customer={record.customer_id} name={record.customer_name} at={record.made_at} />}
      />
      <RecordFigures
        figures={[
          {
            name: t`Transfer by`,
            value: <span className={late ? 'text-bad-text' : undefined}>{dateTime(record.due_at)}</span>,
            ...(late ? { line: <span className="font-medium text-bad-text">{t`Overdue`}</span> } : {}),
          },
          { name: t`Transferred`, value: record.sent_at ? dateTime(record.sent_at) : '–' },
          { name: t`Ended`, value: record.ended_at ? dateTime(record.ended_at) : '–' },
        ]}
      />
      <RecordColumns
        facts={
          <>
            <EndTransfer story={story} />
            <RecordCard title={record.cashout_id ? t`Money of the Wallet` : t`The refund`}>
              <Facts
                of={[
                  record.cashout_id
                    ? [
                        t`Asked for by the customer`,
                        <RecordLink key="cashout" table="cashout" id={record.cashout_id}>
                          {record.number}
                        </RecordLink>,
                      ]
                    : [
                        t`Order`,
                        <RecordLink key="order" table="orders" id={record.order_id}>
                          {record.order_number}
                        </RecordLink>,
                      ],
                  ...(record.reference ? ([[t`Bank reference`, record.reference]] as const) : []),
                  ...(record.run_id
                    ? [
                        [
                          t({ message: 'Run', context: 'of payouts' }),
                          <RecordLink key="run" table="payoutrun" id={record.run_id}>
                            {record.run_number}
                          </RecordLink>,
                        ] as const,
                      ]
                    : []),
                  ...(record.done_at ? ([[t`Transferred, then came back`, dateTime(record.done_at)]] as const) : []),
                  ...(record.sent_by_name ? ([[t`Transferred by`, record.sent_by_name]] as const) : []),
                ]}
              />
            </RecordCard>
          </>
        }
      >
        <Failed story={story} />
        <Account story={story} />
      </RecordColumns>
    </>
  );
}

/** Where it goes, to be copied into the bank's own form. */
function Account({ story: { account, record } }: { story: Story }) {
  const { t } = useLingui();
  const bank = useBankName()(account.bank);
  return (
    <RecordCard title={t`The account`}>
      {account.number ? (
        <Facts
          of={[
            [t`Bank`, bank],
            [t`Account number`, <CopyCode key="number" code={account.number} />],
            [t`Account name`, <CopyCode key="name" code={account.name} />],
            [t`Amount`, <CopyCode key="amount" code={(record.amount_satang / 100).toFixed(2)} />],
          ]}
        />
      ) : (
        <p>{t`${bank}. The customer had everything erased since; the number and the name are not kept.`}</p>
      )}
    </RecordCard>
  );
}

function Failed({ story: { record, failure, failed_by_name } }: { story: Story }) {
  const { t } = useLingui();
  if (record.state !== 'failed') return null;
  return (
    <Note tone="info" icon={<Wallet aria-hidden />} title={t`It was put into the Wallet`}>
      {[failure, failed_by_name].filter(Boolean).join(' · ')}
    </Note>
  );
}
