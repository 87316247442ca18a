import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { amount, calendarDay, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { CalendarX } from 'lucide-react';
import { RecordCard } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import { Facts } from '../../resource/facts.tsx';
import { Outcome, payoutSettings } from './schedule-outcome.tsx';

export const next = query('/api/owner/payoutrun/next', {});

/** What the next run could pay, and what was paid this year. */
export default function NextRun() {
  const { t } = useLingui();
  const { data, error } = useQuery(next);
  if (error) return <FaultNote error={error} />;
  if (!data) return <Skeleton className="h-48 rounded-office" />;
  const payDay = data.pay_day && date(data.pay_day);
  const until = date(data.up_to);
  const year = calendarDay(Date.now()).slice(0, 4);
  return (
    <>
      <RecordCard title={payDay ? t`Next run, paid on ${payDay}` : t`Next run`}>
        <p className="text-money font-semibold">
          <Price satang={data.payable_satang} />
        </p>
        <p className="text-muted-foreground">
          <Plural
            value={data.payees}
            _0="Nobody can be paid anything now"
            one="# payee can be paid, before tax"
            other="# payees can be paid, before tax"
          />
        </p>
        <p className="text-caption text-quiet">{t`A run that is drafted now collects what could be paid by the end of ${until}. Who is not ready is left out, and says why.`}</p>
        {!payDay && (
          <Note tone="warn" icon={<CalendarX aria-hidden />} title={t`The pay day is not known`} className="mt-3">
            {t`The banks' holidays of the year are missing, and nobody is paid without them. The platform's admin has to add them; please ask there.`}
          </Note>
        )}
        <OpenDraft id={data.draft_id} />
        <Scheduled />
        <p className="mt-3 border-t pt-3">
          <Link
            to="/owner/$screen"
            params={{ screen: 'settingpayout' }}
            className="font-medium text-brand-text hover:underline"
          >
            {t`Payout settings`}
          </Link>
        </p>
      </RecordCard>
      <Refunds of={data.refunds} />
      <RecordCard title={t`Year ${year}`}>
        <Facts
          of={[
            [t`Paid to agents and partners`, amount(data.year_paid_satang)],
            [t`Tax withheld`, amount(data.year_withheld_satang)],
          ]}
        />
      </RecordCard>
    </>
  );
}

function OpenDraft({ id }: { id: string | null }) {
  const { t } = useLingui();
  if (!id) return null;
  return (
    <p className="mt-3 border-t pt-3">
      <RecordLink table="payoutrun" id={id}>
        {t`A draft is open`}
      </RecordLink>
    </p>
  );
}

/** What waits for a run of refunds. */
function Refunds({ of }: { of: Detail<'/api/owner/payoutrun/next'>['refunds'] }) {
  const { t } = useLingui();
  if (of.transfers === 0 && !of.draft_id) return null;
  return (
    <RecordCard title={t`Refunds to bank accounts`}>
      <p className="text-money font-semibold">
        <Price satang={of.amount_satang} />
      </p>
      <p className="text-muted-foreground">
        <Plural
          value={of.transfers}
          _0="Nothing waits outside of a run"
          one="# transfer waits: a refund, or money of a Wallet"
          other="# transfers wait: refunds, and money of Wallets"
        />
      </p>
      <OpenDraft id={of.draft_id} />
    </RecordCard>
  );
}

/** When the next run is drafted by itself, and why the last one was not. */
function Scheduled() {
  const { t } = useLingui();
  const { data, error } = useQuery(payoutSettings);
  if (error) return <FaultNote error={error} className="mt-3" />;
  if (!data?.schedules.length) return null;
  const [next] = data.schedules.flatMap(({ next_on }) => next_on ?? []).sort();
  const [last] = data.schedules.toSorted((a, b) => (b.handled_at ?? '').localeCompare(a.handled_at ?? ''));
  const on = next && date(next);
  return (
    <div className="mt-3 border-t pt-3">
      <p>{on ? t`Drafted by itself next on ${on}` : t`None is drafted by itself now`}</p>
      {last && last.outcome !== 'drafted' && <Outcome schedule={last} />}
    </div>
  );
}
