import { useLingui } from '@lingui/react/macro';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, dateTime } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { refundRequestStates } from '../../resource/status-labels.tsx';
import { DecideRefundRequest } from './decide-refund-request.tsx';

type Story = StoryOf<'refundrequest'>;

/** What a payer asks the shop to refund: the items, what became of them since, and the decision. */
export default function RefundRequestStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = refundRequestStates[record.state];
  const waits = record.state === 'asked';
  const late = waits && Date.parse(record.due_at) < Date.now();
  const who = record.customer_name || '–';
  return (
    <>
      <RecordHead
        name={record.number}
        picture={<Avatar src={story.customer_picture_url} size={62} />}
        title={t`${who} asks for a refund`}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        line={
          <span>
            <RecordLink table="orders" id={record.order_id}>
              {record.number}
            </RecordLink>{' '}
            ·{' '}
            <RecordLink table="customer" id={record.customer_id}>
              {who}
            </RecordLink>
          </span>
        }
      />
      <RecordFigures
        figures={[
          { name: t`Amount`, value: <Price satang={record.amount_satang} /> },
          { name: t({ message: 'Asked', context: 'a refund' }), value: dateTime(record.asked_at) },
          waits
            ? {
                name: t`Answer by`,
                value: <span className={late ? 'text-bad-text' : undefined}>{dateTime(record.due_at)}</span>,
                ...(late ? { line: <span className="font-medium text-bad-text">{t`Overdue`}</span> } : {}),
              }
            : { name: t`Answered`, value: record.answered_at ? dateTime(record.answered_at) : '' },
        ]}
      />
      <RecordColumns facts={waits ? <DecideRefundRequest story={story} /> : <Answered story={story} />}>
        <Items story={story} />
      </RecordColumns>
    </>
  );
}

/** The items that were named, of those of a request that waits what stands against them, and why the payer asks. */
function Items({ story: { record, parts, words } }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const waits = record.state === 'asked';
  return (
    <RecordCard title={t`What is asked for`}>
      <ul className="divide-y">
        {parts.map((part) => {
          const { items, items_left: left, kind, refused } = part;
          const gone = items - left;
          return (
            <li key={part.voucher_id} className="flex items-start justify-between gap-4 py-3 first:pt-1">
              <span className="min-w-0">
                <span className="block font-medium">
                  {text(part, 'name')}
                  {kind === 'item' && items > 1 && ` × ${items}`}
                </span>
                <RecordLink table="voucher" id={part.voucher_id}>
                  {part.code}
                </RecordLink>
                {waits && gone > 0 && (
                  <span className="block text-caption font-medium text-warn-text">
                    {kind === 'baht'
                      ? t`${baht(gone)} of it was used or left the customer since`
                      : t`${gone} of ${items} used or left the customer since`}
                  </span>
                )}
                {waits && gone === 0 && refused && (
                  <span className="block text-caption font-medium text-warn-text">
                    {faultSentence(i18n, refused as AnyFault)}
                  </span>
                )}
              </span>
              <span className="font-medium">{amount(part.amount_satang)}</span>
            </li>
          );
        })}
      </ul>
      {words && <p className="mt-3 border-t pt-3 text-row">“{words}”</p>}
    </RecordCard>
  );
}

function Answered({ story }: { story: Story }) {
  const { t } = useLingui();
  const { record, answer, refund_number: number, renewed_by: renewed } = story;
  const sum = baht(record.amount_satang);
  const says = {
    done: {
      wallet: t`${sum} is in the customer's Wallet. The refund is ${number}.`,
      card: t`${sum} goes back to the card that the customer paid with. The refund is ${number}.`,
      bank: t`${sum} goes to the customer's bank account. The refund ${number} stands under Bank transfers.`,
    }[story.method],
    refused: t`The customer reads your answer.`,
    changed: renewed
      ? t`The customer has asked again for what is left.`
      : t`The customer was asked to look again. Nothing was refunded.`,
    withdrawn: t`The customer withdrew it. Nothing was refunded.`,
    asked: '',
  }[record.state];
  return (
    <RecordCard title={t`What became of it`}>
      <div className="grid gap-2.5">
        <p>{says}</p>
        {answer && <p className="text-muted-foreground">{t`You said: “${answer}”`}</p>}
        {renewed && (
          <p>
            <RecordLink table="refundrequest" id={renewed}>
              {t`See the new request`}
            </RecordLink>
          </p>
        )}
        {record.answered_by_name && (
          <p className="text-muted-foreground">{t`Answered by ${record.answered_by_name}`}</p>
        )}
      </div>
    </RecordCard>
  );
}
