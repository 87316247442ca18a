import { useLingui } from '@lingui/react/macro';
import { useBankName } from '@wlv/client/bank';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { amount, dateTime } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import type { StoryOf } from '../../record/story.ts';
import { WhoAndWhen } from '../../record/who-and-when.tsx';
import { cashoutStates } from '../../resource/status-labels.tsx';
import { DecideCashout } from './decide-cashout.tsx';

type Story = StoryOf<'cashout'>;

/** What a customer asks to be paid out of his wallet: where it goes, and the decision. */
export default function CashoutStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = cashoutStates[record.state];
  const waits = record.state === 'asked';
  const late = waits && Date.parse(record.due_at) < Date.now();
  const who = record.customer_name || '–';
  return (
    <>
      <RecordHead
        name={record.number}
        picture={<Avatar src={story.customer_picture_url} size={62} />}
        title={t`${who} asks to take money out`}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        code={record.number}
        line={<WhoAndWhen customer={record.customer_id} name={record.customer_name} at={record.asked_at} />}
      />
      <RecordFigures
        figures={[
          { name: t`Amount`, value: <Price satang={record.amount_satang} /> },
          { name: t`In the Wallet now`, value: <Price satang={story.balance_satang} /> },
          waits
            ? {
                name: t`Answer by`,
                value: <span className={late ? 'text-bad-text' : undefined}>{dateTime(record.due_at)}</span>,
                ...(late ? { line: <span className="font-medium text-bad-text">{t`Overdue`}</span> } : {}),
              }
            : { name: t`Answered`, value: record.answered_at ? dateTime(record.answered_at) : '–' },
        ]}
      />
      {waits ? (
        <RecordColumns facts={<DecideCashout story={story} />}>
          <Sources story={story} />
        </RecordColumns>
      ) : (
        <RecordColumns facts={record.state === 'approved' && <Answered story={story} />}>
          {record.state === 'approved' ? <Parts story={story} /> : <Answered story={story} />}
        </RecordColumns>
      )}
    </>
  );
}

/** Where it would go if it were approved now. */
function Sources({ story: { sources, bank, account_digits: digits } }: { story: Story }) {
  const { t } = useLingui();
  const bankName = useBankName()(bank);
  return (
    <RecordCard title={t`Where it goes if you approve it`}>
      {!sources.length && <p className="text-quiet">–</p>}
      <ul className="divide-y">
        {sources.map((source, i) => (
          <li key={i} className="flex items-start justify-between gap-4 py-3 first:pt-1">
            <span>
              {source.method === 'bank'
                ? `${bankName} ····${digits}`
                : source.card_digits
                  ? t`Card ····${source.card_digits}`
                  : t`Card`}
              <span className="block text-caption text-quiet">
                {source.method === 'bank'
                  ? t`Topped up by PromptPay; your shop transfers it`
                  : t`The payment company sends it`}
              </span>
            </span>
            <span className="font-medium tabular-nums">{amount(source.limit_satang)}</span>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}

/** Where it went, and how far each part is. */
function Parts({ story: { parts, bank } }: { story: Story }) {
  const { t } = useLingui();
  const bankName = useBankName()(bank);
  const states = {
    approved: { card: t`The payment company is asked for it`, bank: t`To be transferred` },
    sent: { card: t`The payment company is asked for it`, bank: t`Waits to be confirmed` },
    done: { card: t`Sent to the card`, bank: t`Transferred` },
    failed: { card: t`Back in the Wallet`, bank: t`Back in the Wallet` },
  };
  return (
    <RecordCard title={t`Where it went`}>
      <ul className="divide-y">
        {parts.map((part, i) => (
          <li key={i} className="flex items-start justify-between gap-4 py-3 first:pt-1">
            <span>
              {part.method === 'bank'
                ? `${bankName} ····${part.digits}`
                : part.digits
                  ? t`Card ····${part.digits}`
                  : t`Card`}
              <span className="block text-caption text-quiet">
                {states[part.state][part.method]} · {dateTime(part.at)}
              </span>
            </span>
            <span className="font-medium tabular-nums">{amount(part.amount_satang)}</span>
          </li>
        ))}
      </ul>
      {parts.some(({ method, state }) => method === 'bank' && (state === 'approved' || state === 'sent')) && (
        <p className="text-caption text-quiet">{t`What your shop transfers stands under Bank transfers.`}</p>
      )}
    </RecordCard>
  );
}

function Answered({ story: { record, answer } }: { story: Story }) {
  const { t } = useLingui();
  const says = {
    approved: t`It has left the customer's Wallet.`,
    refused: t`The customer reads your answer. Nothing left the Wallet.`,
    withdrawn: t`The customer withdrew it. Nothing left the Wallet.`,
    asked: '',
  }[record.state];
  return (
    <RecordCard title={t`What became of it`}>
      <div className="grid gap-2.5">
        <p>{says}</p>
        {answer && <p className="text-muted-foreground">{t`You said: “${answer}”`}</p>}
        {record.answered_by_name && (
          <p className="text-muted-foreground">{t`Answered by ${record.answered_by_name}`}</p>
        )}
      </div>
    </RecordCard>
  );
}
