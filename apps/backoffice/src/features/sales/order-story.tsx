import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { amount, dateTime } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { TicketCheck } from 'lucide-react';
import { useRefundReasons } from '../../record/event-words.tsx';
import { MoneyPlace } from '../../record/money-place.tsx';
import { RateText } from '../../record/rate-text.tsx';
import { RecordCard, RecordColumns, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { WhoAndWhen } from '../../record/who-and-when.tsx';
import { Facts } from '../../resource/facts.tsx';
import { useOptions } from '../../resource/names.ts';
import { orderStates, useVoucherState } from '../../resource/status-labels.tsx';
import { AskedNote } from './asked-note.tsx';
import { CaseNote } from './case-note.tsx';
import { OrderReceipt } from './order-receipt.tsx';
import { RefundOrder } from './refund-order.tsx';

type Story = StoryOf<'orders'>;

/** An order: where its money is, what was bought with each voucher's state, and what happened. */
export default function OrderStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { record } = story;
  const state = orderStates[record.state];
  const never = record.state === 'expired';
  return (
    <>
      <RecordHead
        name={record.number}
        title={<Price satang={record.total_satang} struck={never || record.state === 'refunded'} />}
        chips={
          <>
            <Chip tone={state.tone}>{i18n._(state.title)}</Chip>
            <UsedChip story={story} />
          </>
        }
        code={record.number}
        line={<WhoAndWhen customer={record.customer_id} name={record.customer_name} at={record.created_at} />}
        actions={
          <>
            {record.paid_at && <OrderReceipt id={record.id} />}
            <RefundOrder story={story} />
          </>
        }
      />
      <RecordColumns
        facts={
          <>
            <Customer story={story} />
            <Payment story={story} />
            {record.paid_at && <Split story={story} />}
            {story.refunds.length > 0 && <Refunds story={story} />}
          </>
        }
      >
        {record.paid_at && <AskedNote order={record.id} />}
        {record.cases?.map((one) => (
          <CaseNote key={one.id} of={one} />
        ))}
        {record.paid_at && (
          <RecordCard title={t`Where the money of this order is`} beside={t`Total ${amount(record.total_satang)}`}>
            <MoneyPlace money={story.money} row />
          </RecordCard>
        )}
        <Lines story={story} />
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** How many of the order's vouchers have been used to some part: of those that the story lists. */
function UsedChip({ story: { vouchers, vouchers_issued } }: { story: Story }) {
  const { t } = useLingui();
  const used = vouchers.filter(({ items_left, items_total }) => items_left < items_total).length;
  if (vouchers.length === 0 || vouchers.length < vouchers_issued) return null;
  return <Chip icon={<TicketCheck aria-hidden />}>{t`${used} of ${vouchers_issued} vouchers in use or used`}</Chip>;
}

function Lines({ story }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const { record, vouchers, vouchers_issued, discounts } = story;
  return (
    <RecordCard title={t`What was bought`}>
      <ul className="divide-y">
        {record.lines?.map((line, position) => (
          <li key={line.package_id} className="py-3 first:pt-1">
            <div className="flex items-start gap-3">
              <Picture
                src={pictureURL(line.picture_id ?? null, 400)}
                mark={<Mark size={20} />}
                className="h-10 w-12 shrink-0 rounded-chip"
              />
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  <RecordLink table={line.card ? 'membercardtype' : 'salepackage'} id={line.package_id}>
                    {text(line, 'name')}
                  </RecordLink>
                </p>
                <p className="text-caption text-quiet">
                  {line.quantity} × {amount(line.unit_satang)}
                  {line.rate_kind && (
                    <>
                      {' · '}
                      {t`Commission`} <RateText kind={line.rate_kind} value={line.rate_value} />
                    </>
                  )}
                </p>
              </div>
              <span className="font-medium">{amount(line.amount_satang + line.discount_satang)}</span>
            </div>
            <ul className="mt-2 flex flex-wrap gap-2 sm:pl-[60px]">
              {vouchers
                .filter((one) => one.line === position)
                .map((one) => (
                  <VoucherChip key={one.id} of={one} buyer={record.customer_id} />
                ))}
            </ul>
          </li>
        ))}
      </ul>
      {vouchers.length > 0 && vouchers.length < vouchers_issued && (
        <p className="pb-2 text-caption text-quiet">{t`The first ${vouchers.length} of ${vouchers_issued} vouchers.`}</p>
      )}
      {discounts.map((discount) => (
        <p key={discount.id} className="flex justify-between gap-4 border-t py-2">
          <span className="min-w-0">
            <RecordLink table="discount" id={discount.id}>
              {text(discount, 'name')}
            </RecordLink>{' '}
            <span className="text-quiet">{discount.code}</span>
          </span>
          <span className="text-ok-text">{amount(-discount.amount_satang)}</span>
        </p>
      ))}
      <p className="flex justify-between border-t pt-3 font-semibold">
        <span>{t`Total`}</span>
        {amount(record.total_satang)}
      </p>
    </RecordCard>
  );
}

function VoucherChip({ of, buyer }: { of: Story['vouchers'][number]; buyer: string }) {
  const { t } = useLingui();
  const text = useTexts();
  const says = useVoucherState();
  return (
    <li className="flex max-w-full flex-wrap items-center gap-x-2 rounded-chip px-3 py-1.5 shadow-[inset_0_0_0_1px_var(--line)]">
      <RecordLink table="voucher" id={of.id}>
        {of.code}
      </RecordLink>
      <span className="text-muted-foreground">
        {text(of, 'name')} · {says(of)}
        {of.holder_id !== buyer && ` · ${t`with ${of.holder_name}`}`}
      </span>
    </li>
  );
}

function Customer({ story: { record, buyer } }: { story: Story }) {
  const { t } = useLingui();
  return (
    <RecordCard title={t`Customer`}>
      <p className="flex items-center gap-3">
        <Avatar src={buyer?.pictureUrl} size={40} />
        <RecordLink table="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </RecordLink>
      </p>
      {buyer && (
        <p className="mt-3 flex justify-between gap-4">
          <span className="text-quiet">{t`Bought in all`}</span>
          <span className="font-medium">
            <Plural value={buyer.orders} one="# order" other="# orders" /> · {amount(buyer.spent_satang)}
          </span>
        </p>
      )}
    </RecordCard>
  );
}

/** Each refund of the order, where it went, and why. */
function Refunds({ story: { refunds } }: { story: Story }) {
  const { t } = useLingui();
  const whys = useRefundReasons();
  const ways = { wallet: t`To the Wallet`, card: t`To the card`, bank: t`To a bank account` };
  return (
    <RecordCard title={t`Refunds`}>
      <ul className="grid gap-3">
        {refunds.map((refund) => (
          <li key={refund.number} className="border-t pt-3 first:border-t-0 first:pt-0">
            <p className="flex justify-between gap-4">
              <span className="text-quiet">
                {refund.number} · {dateTime(refund.at)}
              </span>
              <span className="font-medium">{amount(refund.amount_satang)}</span>
            </p>
            <p className="text-caption text-quiet">
              {[ways[refund.method], whys[refund.reason], refund.person].filter(Boolean).join(' · ')}
            </p>
            {refund.words && <p className="text-row">“{refund.words}”</p>}
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}

function Payment({ story: { record, payment } }: { story: Story }) {
  const { t } = useLingui();
  const channel = useOptions('salechannel');
  const ways = { wallet: t`Wallet`, promptpay: t`PromptPay QR`, card: t`Card` };
  const facts = [
    [t`Paid with`, ways[record.method]],
    [t`Money came in`, record.paid_at && dateTime(record.paid_at)],
    ...(payment
      ? ([
          [
            t`Payment`,
            <RecordLink key="payment" table="depositqrtransaction" id={payment.id}>
              {payment.reference}
            </RecordLink>,
          ],
          [t`Payment company's number`, payment.gateway_id],
        ] as const)
      : []),
    [t`Channel`, channel.label(record.sale_channel)],
    ...(record.owed_satang ? ([[t`Went back, not covered yet`, amount(record.owed_satang)]] as const) : []),
  ] as const;
  return (
    <RecordCard title={t`Payment`}>
      <Facts of={facts} />
    </RecordCard>
  );
}

/** What each has of the price, as it was sold. */
function Split({ story: { record, share_satang, platform_discount_satang } }: { story: Story }) {
  const { t } = useLingui();
  const total = amount(record.total_satang);
  const facts = [
    [t`Shop`, amount(share_satang)],
    ...(record.agent_id
      ? ([
          [
            <span key="agent">
              {t`Agent`}{' '}
              <RecordLink table="agent" id={record.agent_id}>
                {record.agent_name}
              </RecordLink>
            </span>,
            amount(record.commission_satang),
          ],
        ] as const)
      : []),
    [t`Platform fee`, amount(record.platform_fee_satang)],
    ...(platform_discount_satang ? ([[t`Paid by the platform`, amount(-platform_discount_satang)]] as const) : []),
    [t`Total`, total],
  ] as const;
  return (
    <RecordCard title={t`How ${total} is divided`}>
      <Facts of={facts} />
    </RecordCard>
  );
}
