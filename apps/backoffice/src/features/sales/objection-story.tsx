import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { baht, count, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Clock, Hand } from 'lucide-react';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { objectionStates } from '../../resource/status-labels.tsx';
import { DecideObjection } from './decide-objection.tsx';

type Story = StoryOf<'objection'>;

/** A use of which its holder says that it was not he: what is known of it, what is held, and the decision. */
export default function ObjectionStory({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { record } = story;
  const state = objectionStates[record.state];
  return (
    <>
      <RecordHead
        name={record.customer_name}
        picture={
          <span className="grid size-[62px] shrink-0 place-items-center rounded-touch bg-warn-soft text-warn-text">
            <Hand aria-hidden className="size-7" />
          </span>
        }
        title={t`${record.customer_name} says: it was not me`}
        chips={state && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
        line={
          <span>
            {text(record, 'name')} ·{' '}
            <RecordLink table="voucher" id={record.voucher_id}>
              {record.code}
            </RecordLink>
          </span>
        }
      />
      <RecordFigures
        figures={[
          {
            name: record.state === 'open' ? t`Held` : t`What the use earned`,
            value: <Price satang={record.share_satang} />,
          },
          {
            name: t`Used`,
            value:
              record.kind === 'baht' ? (
                baht(record.items)
              ) : (
                <Plural value={record.items} one="# time" other="# times" />
              ),
          },
          record.state === 'open'
            ? { name: t`Decide by`, value: dateTime(record.due_at) }
            : { name: t`Decided`, value: record.decided_at ? dateTime(record.decided_at) : '' },
        ]}
      />
      <RecordColumns facts={record.state === 'open' ? <DecideObjection story={story} /> : <Decided story={story} />}>
        <Known story={story} />
      </RecordColumns>
    </>
  );
}

/** What the system knows of the use, minute by minute, and of who objects. */
function Known({ story }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const { record } = story;
  const facts = [
    { name: t`The phone showed the code`, value: dateTime(story.opened_at) },
    ...(story.scanned_at ? [{ name: t`Scanned by ${record.staff_name}`, value: dateTime(story.scanned_at) }] : []),
    { name: t`Confirmed by ${record.staff_name}`, value: dateTime(record.used_at) },
    { name: t`Service point`, value: text(record, 'service_point_name') },
    { name: t`“It was not me”`, value: dateTime(record.made_at) },
    { name: t`Paid for it`, value: baht(story.paid_satang) },
    {
      name: t`In a year`,
      value: t`${count(story.objections)} objections to ${count(story.uses)} uses`,
    },
  ];
  return (
    <RecordCard title={t`What is known`} beside={t`By the system; nobody can change it`}>
      <dl className="grid gap-2.5">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="ml-auto font-medium">{value}</dd>
          </div>
        ))}
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted-foreground">{t`Customer`}</dt>
          <dd className="ml-auto font-medium">
            <RecordLink table="customer" id={record.customer_id}>
              {record.customer_name}
            </RecordLink>
          </dd>
        </div>
      </dl>
    </RecordCard>
  );
}

function Decided({ story }: { story: Story }) {
  const { t } = useLingui();
  const { record, anew_id, anew_code, answer } = story;
  const sum = baht(record.share_satang);
  const day = date(story.valid_until);
  return (
    <RecordCard title={record.state === 'undone' ? t`The use is undone` : t`The use stands`}>
      <div className="grid gap-2.5">
        <p>
          {record.state === 'undone'
            ? t`${sum} is no longer the shop's. The items can be used again until ${day}.`
            : t`${sum} is the shop's again.`}
        </p>
        {anew_id && (
          <p>
            <Trans>
              New voucher{' '}
              <RecordLink table="voucher" id={anew_id}>
                {anew_code}
              </RecordLink>
            </Trans>
          </p>
        )}
        {answer && <p className="text-muted-foreground">{t`You said: “${answer}”`}</p>}
        {record.decided_by_name ? (
          <p className="text-muted-foreground">{t`Decided by ${record.decided_by_name}`}</p>
        ) : (
          <Note tone="info" icon={<Clock aria-hidden />} title={t`Nobody decided within 48 hours`}>
            {t`So it was undone by itself.`}
          </Note>
        )}
      </div>
    </RecordCard>
  );
}
