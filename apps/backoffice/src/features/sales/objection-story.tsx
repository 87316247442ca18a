import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Chip } from '@wlv/ui/chip';
import { baht, count, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { clsx } from 'clsx';
import { Clock, Hand, LogIn, type LucideIcon, QrCode, ScanLine, TicketCheck } from 'lucide-react';
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
            ? { name: t`Decide by`, value: dateTime(record.due_at), line: <TimeLeft due={record.due_at} /> }
            : { name: t`Decided`, value: record.decided_at ? dateTime(record.decided_at) : '' },
        ]}
      />
      <RecordColumns facts={record.state === 'open' ? <DecideObjection story={story} /> : <Decided story={story} />}>
        <Minutes story={story} />
        <Who story={story} />
      </RecordColumns>
    </>
  );
}

/** How long there still is to decide. */
function TimeLeft({ due }: { due: string }) {
  const left = Math.max(0, Date.parse(due) - Date.now());
  const hours = Math.floor(left / 3_600_000);
  return (
    <span className="font-medium text-warn-text">
      {hours > 0 ? (
        <Plural value={hours} one="# hour left" other="# hours left" />
      ) : (
        <Plural value={Math.floor(left / 60_000)} one="# minute left" other="# minutes left" />
      )}
    </span>
  );
}

interface Moment {
  at: string;
  icon: LucideIcon;
  title: string;
  line?: string;
  /** What the owner should look at twice. */
  odd?: boolean;
}

/** What the system wrote down of the use, minute by minute. */
function useMoments(story: Story): Moment[] {
  const { t } = useLingui();
  const text = useTexts();
  const { record } = story;
  const place = text(record, 'service_point_name');
  const sum = baht(record.share_satang);
  const moments: Moment[] = [
    ...story.sign_ins.map(
      ({ at, new_browser: odd }): Moment => ({
        at,
        odd,
        icon: LogIn,
        title: t`Signed in with LINE`,
        ...(odd ? { line: t`In a browser that was not used before` } : {}),
      }),
    ),
    { at: story.opened_at, icon: QrCode, title: t`The phone showed the code for ${place}` },
    ...(story.scanned_at
      ? [{ at: story.scanned_at, icon: ScanLine, title: t`${record.staff_name} scanned it` } satisfies Moment]
      : []),
    {
      at: record.used_at,
      icon: TicketCheck,
      title: t`${record.staff_name} confirmed it`,
      line: t`${sum} for the shop`,
    },
    {
      at: record.made_at,
      icon: Hand,
      title: t`${record.customer_name}: “It was not me”`,
      line: t`${sum} is held since then`,
    },
  ];
  return moments.sort((a, b) => a.at.localeCompare(b.at));
}

function Minutes({ story }: { story: Story }) {
  const { t } = useLingui();
  const moments = useMoments(story);
  return (
    <RecordCard title={t`Minute by minute`} beside={t`By the system; nobody can change it`}>
      <ol aria-label={t`Minute by minute`} className="-mx-2.5">
        {moments.map(({ at, icon: Icon, title, line, odd }) => (
          <li key={`${at}-${title}`} className={clsx('flex gap-3 rounded-small px-2.5 py-2.5', odd && 'bg-warn-soft')}>
            <span
              className={clsx(
                'grid size-9 shrink-0 place-items-center rounded-[11px] [&_svg]:size-[18px]',
                odd ? 'text-warn-text' : 'bg-accent text-brand-text',
              )}
            >
              <Icon aria-hidden />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-break-word">{title}</span>
              {line && (
                <span className={clsx('block text-caption', odd ? 'text-warn-text' : 'text-quiet')}>{line}</span>
              )}
            </span>
            <time dateTime={at} className="shrink-0 whitespace-nowrap text-caption text-quiet">
              {dateTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </RecordCard>
  );
}

/** Who objects, and where he used what. */
function Who({ story }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const { record } = story;
  const rows = [
    { name: t`Service point`, value: text(record, 'service_point_name') },
    { name: t`Staff`, value: record.staff_name },
    { name: t`Paid for it`, value: baht(story.paid_satang) },
    { name: t`In a year`, value: t`${count(story.objections)} objections to ${count(story.uses)} uses` },
  ];
  return (
    <RecordCard title={t`Who and where`}>
      <dl className="grid gap-2.5">
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted-foreground">{t`Customer`}</dt>
          <dd className="ml-auto font-medium">
            <RecordLink table="customer" id={record.customer_id}>
              {record.customer_name}
            </RecordLink>
          </dd>
        </div>
        {rows.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="ml-auto font-medium">{value}</dd>
          </div>
        ))}
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
