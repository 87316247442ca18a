import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { amount, percent } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { FillAccount } from '../../payee/fill-account.tsx';
import { type Answers, SentForm } from '../../payee/sent-form.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import { Facts } from '../../resource/facts.tsx';

/** What a partner has earned, where, and the accounts that were filled in of him. */
export default function PartnerAccount({ id, ended }: { id: string; ended: boolean }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const text = useTexts();
  const [fills, setFills] = useState(false);
  const record = useQuery(query('/api/owner/partner/record', { id }));
  if (record.isPending) return <Skeleton className="h-40 rounded-card" />;
  if (record.isError) return <FaultNote error={record.error} />;
  const { forms, service_points: places } = record.data;
  const rate = record.data.record.basis_points;
  const [newest] = forms;
  const answers: Answers = {
    accept: (body) => call('/api/owner/partner/accept', body),
    refuse: (body) => call('/api/owner/partner/refuse', body),
    takeBack: can('servicepoint', 'u')
      ? (version_id) => call('/api/owner/partner/takeback', { version_id })
      : undefined,
    description: t`It is paid to after 7 days.`,
  };
  const approved = forms.some(({ state }) => state === 'approved');
  return (
    <div className="grid gap-5">
      <Part
        title={t`Earned`}
        beside={
          can('partnercommissiontransaction', 'v') && (
            <To screen="partnercommissiontransaction" search={{ partner_id: id }}>
              {t`Use by use`}
            </To>
          )
        }
      >
        <Facts
          of={[
            [t`Not due yet`, amount(record.data.pending_satang)],
            record.data.owed_satang
              ? [t`Owed to the shop`, amount(record.data.owed_satang)]
              : [t`Can be paid out`, amount(record.data.payable_satang)],
            [t`Paid`, amount(record.data.paid_satang)],
          ]}
        />
      </Part>
      <Part
        title={t`Commission`}
        beside={
          <To screen="partnerratelist" search={{ partner_id: [id] }}>
            {t`Open all`}
          </To>
        }
      >
        <p className={rate == null ? 'text-quiet' : undefined}>
          {rate == null
            ? t`None yet: he earns nothing of what is used.`
            : t`${percent(rate)} of what you earn by each use`}
        </p>
      </Part>
      <Part title={t`Service points`}>
        {!places.length && <p className="text-quiet">{t`None yet: choose him in the form of a service point.`}</p>}
        <ul className="divide-y">
          {places.map((place) => (
            <li key={place.id} className="py-2">
              <RecordLink table="service_point" id={place.id}>
                {text(place, 'name')}
              </RecordLink>
            </li>
          ))}
        </ul>
      </Part>
      <Part
        title={t`Bank account`}
        beside={
          !ended &&
          can('servicepoint', 'u') && (
            <Button size="office" variant="outline" onClick={() => setFills(true)}>
              {newest ? t`Fill in anew` : t`Fill in`}
            </Button>
          )
        }
      >
        {!approved && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`Cannot be paid yet`}>
            {t`No account of this partner is approved. What he earns is kept until one is.`}
          </Note>
        )}
        <ul className="divide-y">
          {forms.map((form) => (
            <SentForm key={form.id} form={form} answers={ended ? undefined : answers} />
          ))}
        </ul>
      </Part>
      <Dialog open={fills} onOpenChange={setFills}>
        {fills && (
          <FillAccount
            description={t`Somebody else approves it. It is paid to 7 days later.`}
            ofPerson={t`Payouts to partners who are persons need a tax return that is not made here yet: they are left out of runs.`}
            fill={(form) => call('/api/owner/partner/fill', { partner_id: id, form })}
            onDone={() => setFills(false)}
          />
        )}
      </Dialog>
    </div>
  );
}

function To({ screen, search, children }: { screen: string; search: object; children: string }) {
  return (
    <Link
      to="/owner/$screen"
      params={{ screen }}
      search={search as never}
      className="text-sm font-medium text-brand-text"
    >
      {children}
    </Link>
  );
}

function Part({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-base font-semibold">{title}</h3>
        {beside}
      </div>
      {children}
    </section>
  );
}
