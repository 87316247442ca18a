import { useLingui } from '@lingui/react/macro';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { dateTime } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { DecideHold } from './decide-hold.tsx';
import { holdStates, useWhy } from './hold-signals.ts';

type Story = StoryOf<'commissionhold'>;

/** Commission that is held: what was found, whose it is, and the decision. */
export default function HoldStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const why = useWhy();
  const { record } = story;
  const state = holdStates[record.state];
  const held = record.state === 'held';
  return (
    <>
      <RecordHead
        name={record.payee_name}
        picture={<Avatar src={record.pictureUrl} size={62} />}
        title={record.order_id ? t`Commission of ${record.order_number}` : t`All that ${record.payee_name} can be paid`}
        chips={<Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        code={record.order_number}
        line={
          <>
            <RecordLink table={record.partner_id ? 'partner' : 'agent'} id={record.payee_id}>
              {record.payee_name || '–'}
            </RecordLink>
            <span aria-hidden>·</span>
            {dateTime(record.held_at)}
          </>
        }
      />
      <RecordFigures
        figures={[
          {
            name: record.order_id ? t`Commission now` : t`Can be paid now`,
            value: <Price satang={record.order_id ? record.amount_satang : story.payable_satang} />,
          },
          { name: t`On hold since`, value: dateTime(record.held_at) },
          held
            ? { name: t`Free by itself`, value: dateTime(record.ends_at) }
            : { name: t`Decided on`, value: record.ended_at ? dateTime(record.ended_at) : '–' },
        ]}
      />
      <RecordColumns facts={held ? <DecideHold story={story} /> : <Decided story={story} />}>
        <RecordCard title={t`What was found`}>
          <div className="grid gap-2.5">
            <p>{why(record)}</p>
            {record.order_id && (
              <p className="text-muted-foreground">
                <RecordLink table="orders" id={record.order_id}>
                  {record.order_number}
                </RecordLink>
                {' · '}
                {t`Buyer`}{' '}
                <RecordLink table="customer" id={record.customer_id}>
                  {record.customer_name || '–'}
                </RecordLink>
              </p>
            )}
            {record.other_id && (
              <p className="text-muted-foreground">
                {t`Same account as`}{' '}
                <RecordLink table={record.other_partner_id ? 'partner' : 'agent'} id={record.other_id}>
                  {record.other_name || '–'}
                </RecordLink>
              </p>
            )}
            <p className="text-caption text-quiet">
              {t`Such a thing can have a good reason. The payee reads that the payment is on hold, not why.`}
            </p>
          </div>
        </RecordCard>
      </RecordColumns>
    </>
  );
}

function Decided({ story: { record } }: { story: Story }) {
  const { t } = useLingui();
  const says = {
    released: t`Payouts have it again. It is not held anew for the same.`,
    denied: t`It is not paid. What was due is what the shop has earned.`,
    lapsed: t`Nobody decided within 30 days, so payouts have it again.`,
    held: '',
  }[record.state];
  return (
    <RecordCard title={t`What became of it`}>
      <div className="grid gap-2.5">
        <p>{says}</p>
        {record.reason && <p className="text-muted-foreground">{t`You said: “${record.reason}”`}</p>}
        {record.ended_by_name && <p className="text-muted-foreground">{t`Decided by ${record.ended_by_name}`}</p>}
      </div>
    </RecordCard>
  );
}
