import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, date } from '@wlv/ui/format';
import { Remaining } from '@wlv/ui/meter';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { CalendarClock, CalendarX, MapPin, ScrollText } from 'lucide-react';
import { MoneyPlace } from '../../record/money-place.tsx';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { Facts } from '../../resource/facts.tsx';
import { LeftShort, voucherStates } from '../../resource/status-labels.tsx';
import { CareMenu } from './care-menu.tsx';
import { Extensions } from './extend-voucher.tsx';
import { Freezes, FreezeVoucher, FrozenNotes } from './freeze-voucher.tsx';
import { OldCodes } from './reissue-voucher.tsx';
import { VoidNote } from './void-voucher.tsx';

type Story = StoryOf<'voucher'>;

/** A voucher: what is left of it, who has it, its rules as they were sold, and each scan and use. */
export default function VoucherStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { record } = story;
  const state = voucherStates[record.state];
  const holder = record.holder_name || '–';
  return (
    <>
      <RecordHead
        name={record.code}
        picture={
          <Picture
            src={pictureURL(story.picture_id, 400)}
            mark={<Mark size={32} />}
            className="h-[62px] w-[72px] shrink-0 rounded-touch"
          />
        }
        title={text(record, 'name')}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        code={record.code}
        line={
          <span>
            <Trans>
              with{' '}
              <RecordLink table="customer" id={record.holder_id}>
                {holder}
              </RecordLink>
            </Trans>
          </span>
        }
        actions={
          <>
            <FreezeVoucher story={story} />
            <CareMenu story={story} />
          </>
        }
      />
      <RecordFigures
        figures={[
          {
            name: t`Left`,
            value: (
              <span className="flex flex-wrap items-center gap-x-2.5">
                <LeftShort row={record} />
                <Remaining left={record.items_left} total={record.items_total} kind={record.kind} />
              </span>
            ),
          },
          {
            name: t`Kept until it is used`,
            value: <Price satang={story.money.unused_satang + story.money.frozen_satang} />,
          },
          { name: t`Valid until`, value: date(record.valid_until) },
        ]}
      />
      <RecordColumns
        facts={
          <>
            <RecordCard title={t`Where the money of this voucher is`} beside={t`Total ${amount(story.paid_satang)}`}>
              <MoneyPlace money={story.money} />
            </RecordCard>
            <RecordCard title={t`The purchase`}>
              <Facts
                of={[
                  [
                    t({ message: 'Order', context: 'a purchase' }),
                    <RecordLink key="order" table="orders" id={record.order_id}>
                      {record.order_number}
                    </RecordLink>,
                  ],
                  [
                    t`Buyer`,
                    <RecordLink key="buyer" table="customer" id={story.buyer_id}>
                      {story.buyer_name}
                    </RecordLink>,
                  ],
                  [t`Shop's share`, amount(record.share_satang)],
                  ...(story.parent_id
                    ? [
                        [
                          t`Made of items of`,
                          <RecordLink key="parent" table="voucher" id={story.parent_id}>
                            {story.parent_code}
                          </RecordLink>,
                        ] as const,
                      ]
                    : []),
                ]}
              />
            </RecordCard>
            {story.slices.length > 0 && <Slices title={t`Given in parts`} of={story.slices} kind={record.kind} />}
            {story.siblings.length > 0 && (
              <Slices title={t`From the same voucher`} of={story.siblings} kind={record.kind} />
            )}
            <Freezes story={story} />
            <Extensions story={story} />
            <OldCodes story={story} />
            <Rules story={story} />
          </>
        }
      >
        <VoidNote story={story} />
        <FrozenNotes story={story} />
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** Vouchers that were made of another one's items. */
function Slices({ title, of, kind }: { title: string; of: Story['slices']; kind: Story['record']['kind'] }) {
  return (
    <RecordCard title={title}>
      <Facts
        of={of.map((slice) => [
          <RecordLink key={slice.id} table="voucher" id={slice.id}>
            {slice.code}
          </RecordLink>,
          <span key="what">
            {kind === 'baht' ? (
              baht(slice.items_total)
            ) : (
              <Plural value={slice.items_total} one="# time" other="# times" />
            )}
            {' · '}
            {slice.holder_name}
            {' · '}
            <StateOf state={slice.state} />
          </span>,
        ])}
      />
    </RecordCard>
  );
}

function StateOf({ state }: { state: string }) {
  const { i18n } = useLingui();
  const known = voucherStates[state];
  return known ? i18n._(known.title) : state;
}

/** What was agreed when it was sold. */
function Rules({ story }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const places = story.service_points.map((place) => text(place, 'name')).join(', ');
  const usable = text(story, 'usable');
  const conditions = text(story, 'conditions');
  return (
    <RecordCard title={t`Rules`}>
      <ul className="grid gap-2.5 [&_svg]:mt-px [&_svg]:size-[18px] [&_svg]:shrink-0 [&_svg]:text-quiet">
        <li className="flex gap-2.5">
          <MapPin aria-hidden />
          {places ? t`Used at ${places}` : t`Used at every service point`}
        </li>
        <li className="flex gap-2.5">
          <CalendarX aria-hidden />
          {story.expiry_rule === 'wallet'
            ? t`What is left when it expires goes to the holder's wallet`
            : t`What is left when it expires is the shop's`}
        </li>
        {usable && (
          <li className="flex gap-2.5">
            <CalendarClock aria-hidden />
            {usable}
          </li>
        )}
        {conditions && (
          <li className="flex gap-2.5">
            <ScrollText aria-hidden />
            <span className="min-w-0 whitespace-pre-line wrap-break-word">{conditions}</span>
          </li>
        )}
      </ul>
    </RecordCard>
  );
}
