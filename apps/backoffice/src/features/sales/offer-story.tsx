import { Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { amount, count, dateTime, lastDay } from '@wlv/ui/format';
import { MoneyBar, MoneyMark } from '@wlv/ui/money-bar';
import { Price } from '@wlv/ui/price';
import { Tag } from 'lucide-react';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { offerStateOf, offerStates, reportReasons, useVoucherState } from '../../resource/status-labels.tsx';
import { StopOffer } from './stop-offer.tsx';

type Story = StoryOf<'boardtransaction'>;

/** An offer of the board: who sells what to whom, at which price, and who gets what of it. */
export default function OfferStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { record } = story;
  const state = offerStates[offerStateOf(record)];
  return (
    <>
      <RecordHead
        name={text(record, 'name')}
        picture={
          <span className="grid size-[62px] shrink-0 place-items-center rounded-touch bg-accent text-brand-text">
            <Tag aria-hidden className="size-7" />
          </span>
        }
        title={text(record, 'name')}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        line={
          <span>
            <Trans>
              from{' '}
              <RecordLink table="customer" id={record.seller_id}>
                {record.seller_name}
              </RecordLink>
            </Trans>
            {record.buyer_id && (
              <>
                {' '}
                <Trans>
                  to{' '}
                  <RecordLink table="customer" id={record.buyer_id}>
                    {record.buyer_name}
                  </RecordLink>
                </Trans>
              </>
            )}
          </span>
        }
        actions={<StopOffer record={record} />}
      />
      <RecordFigures
        figures={[
          { name: t`Price`, value: <Price satang={record.price_satang} /> },
          { name: t`Vouchers`, value: count(record.vouchers) },
          record.ended_at
            ? { name: record.state === 'sold' ? t`Sold` : t`Ended`, value: dateTime(record.ended_at) }
            : { name: t`Offered until`, value: lastDay(record.expires_at) },
          ...(record.number ? [{ name: t`Receipt`, value: record.number }] : []),
        ]}
      />
      <RecordColumns
        facts={
          <>
            {(record.state === 'open' || record.state === 'reserved' || record.state === 'sold') && (
              <Parts record={record} />
            )}
            {record.reports > 0 && <Reports record={record} />}
            {story.vouchers.length > 0 && <Vouchers story={story} />}
          </>
        }
      >
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** Who gets what of the price. */
function Parts({ record }: { record: Story['record'] }) {
  const { t } = useLingui();
  const { price_satang, royalty_satang, fee_satang } = record;
  const parts = [
    {
      key: 'seller',
      name: t`The seller's Wallet`,
      satang: price_satang - royalty_satang - fee_satang,
      colour: 'bg-brand-mark',
    },
    { key: 'shop', name: t`The shop`, satang: royalty_satang, colour: 'bg-second-mark' },
    { key: 'platform', name: t`The platform`, satang: fee_satang, colour: 'bg-info' },
  ];
  return (
    <RecordCard
      title={record.state === 'sold' ? t`Who got what` : t`Who gets what when it is sold`}
      beside={t`Total ${amount(price_satang)}`}
    >
      <MoneyBar parts={parts} className="mb-2.5" />
      <dl className="grid gap-2">
        {parts.map(({ key, name, satang, colour }) => (
          <div key={key} className="flex items-center gap-2">
            <MoneyMark colour={colour} />
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="ml-auto font-medium">{amount(satang)}</dd>
          </div>
        ))}
      </dl>
    </RecordCard>
  );
}

/** How many customers reported it, and why. */
function Reports({ record }: { record: Story['record'] }) {
  const { t, i18n } = useLingui();
  return (
    <RecordCard title={t`Reported by customers`} beside={count(record.reports)}>
      <ul className="list-disc pl-5">
        {record.report_reasons.split(',').map((reason) => {
          const known = reportReasons[reason];
          return known && <li key={reason}>{i18n._(known.title)}</li>;
        })}
      </ul>
    </RecordCard>
  );
}

/** What was offered, as it is now. */
function Vouchers({ story: { vouchers } }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const says = useVoucherState();
  return (
    <RecordCard title={t`What was offered`}>
      <ul className="divide-y">
        {vouchers.map((one) => (
          <li key={one.id} className="flex flex-wrap items-baseline gap-x-2 py-2.5 first:pt-0.5">
            <RecordLink table="voucher" id={one.id}>
              {one.code}
            </RecordLink>
            <span className="text-muted-foreground">
              {text(one, 'name')} · {says(one)} · {t`with ${one.holder_name}`}
            </span>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
