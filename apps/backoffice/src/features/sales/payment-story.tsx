import { Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { CircleAlert, ShoppingBag, Store, Wallet } from 'lucide-react';
import { paymentMethods, paymentPurposes } from '../../record/payment-words.ts';
import { RecordCard, RecordColumns, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { WhoAndWhen } from '../../record/who-and-when.tsx';
import { Facts } from '../../resource/facts.tsx';
import { offerStates, orderStates } from '../../resource/status-labels.tsx';
import { CaseNote } from './case-note.tsx';
import { paymentState } from './payment-state.ts';

type Story = StoryOf<'depositqrtransaction'>;

/** A payment: what it paid, what the payment company says of it, and what became of the money. */
export default function PaymentStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = paymentState(record);
  const owed = baht(record.owed_satang);
  const PurposeIcon = { order: ShoppingBag, offer: Store, topup: Wallet, duplicate: Wallet }[record.purpose];
  return (
    <>
      <RecordHead
        name={record.reference}
        title={<Price satang={record.amount_satang} struck={record.state === 'expired' || record.state === 'failed'} />}
        chips={
          <>
            {state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
            <Chip icon={<PurposeIcon aria-hidden />}>{i18n._(paymentPurposes[record.purpose].title)}</Chip>
          </>
        }
        code={record.reference}
        line={<WhoAndWhen customer={record.customer_id} name={record.customer_name} at={record.created_at} />}
      />
      <RecordColumns
        facts={
          <>
            <Paid story={story} />
            <AtGateway story={story} />
          </>
        }
      >
        {story.cases.map((one) => (
          <CaseNote key={one.id} of={one} />
        ))}
        {record.owed_satang > 0 && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`${owed} is not covered yet`}>
            {t`Money went back after it was spent. Vouchers that it paid for are on hold, or the customer owes it.`}
          </Note>
        )}
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** What it paid. */
function Paid({ story: { record, order, offer, credited } }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const payer = record.customer_name || '–';
  const state = order && orderStates[order.state];
  const offered = offer && offerStates[offer.state];
  return (
    <RecordCard title={t`What it paid`}>
      {order && state && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
          <span className="min-w-0">
            <RecordLink table="orders" id={order.id}>
              {order.number}
            </RecordLink>
            <span className="block truncate text-caption text-quiet">{text(order, 'name')}</span>
          </span>
          <Chip tone={state.tone}>{i18n._(state.title)}</Chip>
        </div>
      )}
      {offer && offered && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
          <span className="min-w-0">
            <RecordLink table="boardtransaction" id={offer.id}>
              {offer.number || t`An offer`}
            </RecordLink>
            <span className="block truncate text-caption text-quiet">{t`Seller: ${offer.seller}`}</span>
          </span>
          <Chip tone={offered.tone}>{i18n._(offered.title)}</Chip>
        </div>
      )}
      {credited && (
        <p className="py-1">
          <Trans>
            It went to the wallet of{' '}
            <RecordLink table="customer" id={record.customer_id}>
              {payer}
            </RecordLink>
          </Trans>
        </p>
      )}
      {!order && !offer && !credited && <p className="py-1 text-quiet">{t`Nothing yet`}</p>}
    </RecordCard>
  );
}

/** What the payment company knows of it. */
function AtGateway({ story: { record, failure, late } }: { story: Story }) {
  const { t, i18n } = useLingui();
  const sums = [
    [t`Came in`, record.captured_satang],
    [t`Payment company's fee`, record.fee_satang],
    [t`Sent back`, record.refunded_satang],
    [t`Held back by the bank`, record.disputed_satang],
  ] as const;
  return (
    <RecordCard title={t`At the payment company`}>
      <Facts
        of={[
          [t`Way to pay`, i18n._(paymentMethods[record.method].title)],
          [
            t`Payment company's number`,
            <span key="id" className="break-all">
              {record.gateway_id}
            </span>,
          ],
          [t`Paid on`, record.captured_at && dateTime(record.captured_at)],
          ...sums.filter(([, satang]) => satang > 0).map(([name, satang]) => [name, amount(satang)] as const),
          ...(late ? ([[t`Late`, t`After it had ended`]] as const) : []),
          ...(failure ? ([[t`Why it failed`, failure]] as const) : []),
        ]}
      />
    </RecordCard>
  );
}
