import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { amount, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleCheck, CircleDashed, Info } from 'lucide-react';
import { usePerson } from '../../access/person.ts';
import { type Figure, RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { Facts } from '../../resource/facts.tsx';
import { useOptions } from '../../resource/names.ts';
import type { AnyResource } from '../../resource/resource.ts';
import { RowMenu } from '../../resource/row-menu.tsx';
import { StatusChip } from '../../resource/status-chip.tsx';
import { Left } from '../../resource/status-labels.tsx';
import { ApproveAgent } from './approve-agent.tsx';
import { CustomerDebt } from './customer-debt.tsx';

type Story = StoryOf<'customer'>;

/** A customer: what he spends, what he has in hand, when he comes, what he agreed to, and what happened. */
export default function CustomerStory({ story, resource }: { story: Story; resource: AnyResource }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { record, in_hand, visits } = story;
  const { id = '' } = record;
  const name = record.displayName || '–';
  return (
    <>
      <RecordHead
        name={name}
        picture={<Avatar src={record.pictureUrl} size={60} />}
        title={name}
        chips={
          <>
            <StatusChip resource={resource} row={record as never} />
            {record.agent && (
              <RecordLink table="agent" id={story.agent_id}>
                <Chip tone="brand">{t`Agent`}</Chip>
              </RecordLink>
            )}
          </>
        }
        line={
          <>
            {[record.firstname, record.lastname].filter(Boolean).join(' ')}
            {(record.firstname || record.lastname) && <span aria-hidden>·</span>}
            {t`customer since ${date(record.created_at ?? '')}`}
          </>
        }
        actions={can('customer', 's') && <RowMenu resource={resource} row={record as never} framed />}
      />
      <Figures story={story} />
      <RecordColumns
        facts={
          <>
            {visits && <Months months={visits.months} />}
            <Consents story={story} />
            <About story={story} />
          </>
        }
      >
        {can('wallettransaction', 'v') && <CustomerDebt customer={id} />}
        {in_hand && <InHand hand={in_hand} />}
        <Timeline events={story.events} more={story.events_more} here={id} />
      </RecordColumns>
    </>
  );
}

function Figures({ story: { record, sales, visits, in_hand } }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const figures: Figure[] = [];
  if (sales) {
    figures.push({
      name: t`Bought in all`,
      value: <Price satang={sales.spent_satang} />,
      line: (
        <>
          <Plural value={sales.orders} one="# order" other="# orders" />
          {sales.last_at && ` · ${t`the last on ${date(sales.last_at)}`}`}
        </>
      ),
    });
  }
  if (visits) {
    figures.push({
      name: t`Came last`,
      value: visits.last_at ? date(visits.last_at) : t`Not yet`,
      line: visits.last_at && text(visits, 'last_service_point_name'),
    });
  }
  if (in_hand) {
    figures.push({
      name: t`Worth in hand`,
      value: <Price satang={in_hand.worth_satang} />,
      line: <Plural value={in_hand.count} one="# voucher not used up" other="# vouchers not used up" />,
    });
  }
  if (can('wallettransaction', 'v'))
    figures.push({ name: t`In the wallet`, value: <Balance customer={record.id ?? ''} /> });
  return figures.length > 0 && <RecordFigures figures={figures} />;
}

function Balance({ customer: id }: { customer: string }) {
  const { t } = useLingui();
  const wallet = useQuery(query('/api/owner/customer/wallet', { id }));
  if (wallet.isError) return <span className="text-sm font-normal text-bad-text">{t`This did not load`}</span>;
  if (wallet.isPending) return <Skeleton className="h-6 w-24" />;
  return <Price satang={wallet.data.balance_satang} />;
}

function InHand({ hand }: { hand: NonNullable<Story['in_hand']> }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <RecordCard
      title={t`Vouchers in hand`}
      beside={
        hand.count > 0 &&
        (hand.count > hand.vouchers.length
          ? t`The first ${hand.vouchers.length} of ${hand.count}`
          : amount(hand.worth_satang))
      }
    >
      {hand.vouchers.length === 0 && <p className="py-2 text-quiet">{t`No voucher in hand`}</p>}
      <ul className="divide-y">
        {hand.vouchers.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-2.5">
            <Picture
              src={pictureURL(one.picture_id, 400)}
              mark={<Mark size={20} />}
              className="h-10 w-12 shrink-0 rounded-chip"
            />
            <div className="min-w-0 flex-1 basis-44">
              <p className="truncate font-medium">{text(one, 'name')}</p>
              <p className="text-caption">
                <RecordLink table="voucher" id={one.id}>
                  {one.code}
                </RecordLink>
              </p>
            </div>
            <Left row={one} />
            <span className="whitespace-nowrap text-muted-foreground">{t`until ${date(one.valid_until)}`}</span>
            <span className="ml-auto min-w-20 text-right font-medium">{amount(one.worth_satang)}</span>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}

/** On how many days of each month he came. */
function Months({ months }: { months: NonNullable<Story['visits']>['months'] }) {
  const { t, i18n } = useLingui();
  const most = Math.max(1, ...months.map(({ days }) => days));
  const all = months.reduce((sum, { days }) => sum + days, 0);
  const name = (month: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(i18n.locale === 'th' ? 'th-TH-u-ca-gregory' : 'en-GB', {
      month: style,
      timeZone: 'UTC',
    }).format(new Date(month));
  return (
    <RecordCard
      title={t`Visits in 12 months`}
      beside={<Plural value={all} one="# day" other="# days" />}
      className="sm:col-span-2 lg:col-span-1"
    >
      <ol className="flex items-end gap-1.5">
        {months.map(({ month, days }, i) => (
          <li key={month} className="grid min-w-0 flex-1 gap-1 text-center">
            <span className="sr-only">
              {name(month, 'long')}: <Plural value={days} one="# day" other="# days" />
            </span>
            <span aria-hidden className="flex h-14 items-end">
              <span
                className={`w-full rounded-[5px] ${days === 0 ? 'bg-track' : i === months.length - 1 ? 'bg-brand-mark' : 'bg-brand-mark/55'}`}
                style={{ height: days === 0 ? 3 : `${(days / most) * 100}%` }}
              />
            </span>
            <span aria-hidden className="truncate text-[11px] text-quiet">
              {name(month, 'short')}
            </span>
          </li>
        ))}
      </ol>
    </RecordCard>
  );
}

function Consents({ story: { consents } }: { story: Story }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <RecordCard title={t`Consents`}>
      <ul className="mb-3 grid gap-2.5">
        {consents.map((one) => {
          const Icon = one.current ? CircleCheck : CircleDashed;
          return (
            <li key={`${one.document}-${one.purpose}`} className="flex gap-3">
              <Icon
                aria-hidden
                className={`mt-px size-[18px] shrink-0 ${one.current ? 'text-ok-text' : 'text-quiet'}`}
              />
              <span className="min-w-0">
                <span className="block font-medium wrap-break-word">
                  {text(one, 'name')} {one.version}
                </span>
                <span className="block text-caption text-quiet">
                  {t`accepted on ${date(one.at)}`}
                  {!one.current && ` · ${t`there is a newer version, which is asked for`}`}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      <Note icon={<Info aria-hidden />}>
        {consents.length > 0
          ? t`Write only about what was bought: nobody has been asked about promotions.`
          : t`Nothing is accepted yet; what is needed is asked for when something is bought.`}
      </Note>
    </RecordCard>
  );
}

function About({ story: { record } }: { story: Story }) {
  const { t } = useLingui();
  const type = useOptions('customertype');
  const gender: Record<string, string> = { male: t`Male`, female: t`Female`, other: t`Other` };
  return (
    <RecordCard title={t`About this customer`}>
      <Facts
        of={[
          [
            t`E-mail`,
            record.emailaddress && (
              <a key="mail" href={`mailto:${record.emailaddress}`}>
                {record.emailaddress}
              </a>
            ),
          ],
          [t`Gender`, gender[record.gender] ?? ''],
          [t`First came`, dateTime(record.created_at ?? '')],
          [t`Came by`, type.label(record.customer_type)],
          [t`Signs in`, record.status === 5 ? t`With LINE` : t`Not while suspended`],
          [t`Referral code`, record.referercode],
        ]}
      />
      <ApproveAgent record={record} />
    </RecordCard>
  );
}
