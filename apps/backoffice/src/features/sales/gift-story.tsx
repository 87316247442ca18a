import { Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { count, dateTime, lastDay } from '@wlv/ui/format';
import { Gift } from 'lucide-react';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { giftStates, useVoucherState } from '../../resource/status-labels.tsx';
import { StopGift } from './stop-gift.tsx';

type Story = StoryOf<'transfertransaction'>;

/** A gift: who gave what to whom, and how it went. What the giver wrote is between the two. */
export default function GiftStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { record } = story;
  const state = giftStates[record.state];
  return (
    <>
      <RecordHead
        name={text(record, 'name')}
        picture={
          <span className="grid size-[62px] shrink-0 place-items-center rounded-touch bg-accent text-brand-text">
            <Gift aria-hidden className="size-7" />
          </span>
        }
        title={text(record, 'name')}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        line={
          <span>
            <Trans>
              from{' '}
              <RecordLink table="customer" id={record.giver_id}>
                {record.giver_name}
              </RecordLink>
            </Trans>
            {record.receiver_id && (
              <>
                {' '}
                <Trans>
                  to{' '}
                  <RecordLink table="customer" id={record.receiver_id}>
                    {record.receiver_name}
                  </RecordLink>
                </Trans>
              </>
            )}
          </span>
        }
        actions={<StopGift record={record} />}
      />
      <RecordFigures
        figures={[
          record.people > 1
            ? { name: t`Taken`, value: t`${count(record.taken)} of ${count(record.people)}` }
            : { name: t`Vouchers`, value: count(record.vouchers) },
          { name: t`Opened`, value: record.opened_at ? dateTime(record.opened_at) : '–' },
          { name: t`Link good until`, value: lastDay(record.expires_at) },
        ]}
      />
      <RecordColumns facts={story.vouchers.length > 0 && <Vouchers story={story} />}>
        <Timeline events={story.events} more={story.events_more} here={record.id} />
      </RecordColumns>
    </>
  );
}

/** What was given, as it is now. */
function Vouchers({ story: { vouchers } }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const says = useVoucherState();
  return (
    <RecordCard title={t`What was given`}>
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
