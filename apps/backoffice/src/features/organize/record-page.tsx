import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { baht, count, date, dateTime, percent } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { OrgMark } from '@wlv/ui/org-mark';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleAlert, CircleCheck, CirclePause, CirclePlay, ExternalLink, Layers } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { AddressRow } from '../../form/address-row.tsx';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { ConnectionsSection } from './connections-section.tsx';
import { LogCard } from './log-card.tsx';
import { LookCard } from './look-card.tsx';
import { useModuleNames } from './module-names.ts';
import { type Organisation, states, usePlans } from './organisation.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { ResumeDialog, SuspendDialog } from './suspend-dialog.tsx';

type Known = Detail<'/api/admin/organize/record'>;

/** Everything that is known of an organisation that was opened, and what an admin can do about it. */
export function RecordPage({ organisation }: { organisation: Organisation }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const known = useQuery(query('/api/admin/organize/record', { id: organisation.id }));
  const plan = usePlans().data?.data.find(({ id }) => id === organisation.plan_id);
  const name = text(organisation, 'name');
  const { name: state, tone } = states[organisation.state];
  return (
    <div className="mx-auto w-full max-w-[1640px] px-4 pb-16 pt-6 sm:px-7">
      <RecordHead
        name={name}
        picture={
          <OrgMark
            logo={organisation.logo_url}
            name={organisation.name_th}
            size={56}
            colours={{ color: organisation.text_on_primary, background: organisation.background_color_primary }}
          />
        }
        title={name}
        chips={
          <>
            <Chip tone={tone}>{i18n._(state)}</Chip>
            {plan && <Chip tone="mute">{text(plan, 'name')}</Chip>}
          </>
        }
        code={organisation.unique}
        line={t`opened ${date(organisation.created_at)}`}
        actions={<Actions organisation={organisation} />}
      />
      {known.isError && !known.data ? (
        <Failure title={t`This did not load`} error={known.error} onRetry={() => void known.refetch()} />
      ) : known.data ? (
        <Figures known={known.data} />
      ) : (
        <Skeleton className="mb-4 h-24 rounded-office" />
      )}
      {organisation.state === 'suspended' && known.data && <Suspended known={known.data} />}
      <RecordColumns
        facts={
          <>
            {known.data?.health && <Health known={known.data} />}
            <PlanCard organisation={organisation} />
            {known.data && <LogCard log={known.data.log ?? []} />}
          </>
        }
      >
        <HandOver organisation={organisation} />
        <LookCard key={organisation.id} organisation={organisation} />
        <ConnectionsSection id={organisation.id} />
      </RecordColumns>
    </div>
  );
}

function Actions({ organisation }: { organisation: Organisation }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState<'plan' | 'suspend' | 'resume'>();
  if (!can('organize', 'u')) return null;
  const onClose = () => setOpen(undefined);
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setOpen('plan')}>
        <Layers aria-hidden />
        {t`Change the plan`}
      </Button>
      {organisation.state === 'suspended' ? (
        <Button size="office" onClick={() => setOpen('resume')}>
          <CirclePlay aria-hidden />
          {t`Resume`}
        </Button>
      ) : (
        <Button size="office" variant="outline" className="text-bad-text!" onClick={() => setOpen('suspend')}>
          <CirclePause aria-hidden />
          {t({ message: 'Suspend', context: 'organisation' })}
        </Button>
      )}
      {open === 'plan' && <PlanDialog organisation={organisation} onClose={onClose} />}
      {open === 'suspend' && <SuspendDialog organisation={organisation} onClose={onClose} />}
      {open === 'resume' && <ResumeDialog organisation={organisation} onClose={onClose} />}
    </>
  );
}

function Figures({ known: { figures } }: { known: Known }) {
  const { t } = useLingui();
  const { sales, uses, customers, money } = figures ?? {};
  if (!sales || !uses || !customers || !money) return null;
  return (
    <RecordFigures
      figures={[
        { name: t`Sold in 30 days`, value: baht(sales.gross_satang), line: t`${count(sales.orders)} orders` },
        { name: t`Used in 30 days`, value: count(uses.count) },
        { name: t`New customers in 30 days`, value: count(customers.count) },
        { name: t`Paid for, not used yet`, value: baht(money.unearned_satang) },
        { name: t`Used, not settled yet`, value: baht(money.payable_satang) },
        { name: t`In Wallets`, value: baht(money.wallets.now_satang) },
      ]}
    />
  );
}

function Suspended({ known }: { known: Known }) {
  const { t } = useLingui();
  const since = known.suspended_at ? dateTime(known.suspended_at) : '–';
  return (
    <Note tone="bad" icon={<CirclePause aria-hidden />} title={t`Suspended since ${since}`} className="mb-4">
      {known.suspension_reason || t`No reason was written down.`}
    </Note>
  );
}

function Line({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      {good ? (
        <CircleCheck aria-hidden className="mt-0.5 size-[18px] shrink-0 text-ok-text" />
      ) : (
        <CircleAlert aria-hidden className="mt-0.5 size-[18px] shrink-0 text-bad-text" />
      )}
      <span className="min-w-0">{children}</span>
    </li>
  );
}

/** A job that is due for longer than this waits for something. */
const lateAfterMs = 120_000;

function Health({ known: { health } }: { known: Known }) {
  const { t } = useLingui();
  if (!health) return null;
  const late = health.due_since !== null && Date.now() - new Date(health.due_since).getTime() > lateAfterMs;
  return (
    <RecordCard title={t`Health`}>
      <ul className="grid gap-2">
        <Line good={health.book_findings === 0}>
          {health.books_at === null
            ? t`The books were not audited yet`
            : health.book_findings === 0
              ? t`The books balance (${dateTime(health.books_at)})`
              : t`The books do not balance: ${count(health.book_findings)} findings (${dateTime(health.books_at)})`}
        </Line>
        <Line good={health.given_up === 0}>
          {health.given_up === 0 ? t`No job was given up` : t`${count(health.given_up)} jobs were given up`}
        </Line>
        <Line good={!late}>
          {late && health.due_since ? t`Jobs wait since ${dateTime(health.due_since)}` : t`Jobs get done in time`}
        </Line>
      </ul>
    </RecordCard>
  );
}

function PlanCard({ organisation }: { organisation: Organisation }) {
  const { t } = useLingui();
  const names = useModuleNames();
  return (
    <RecordCard title={t`Plan and modules`} beside={t`Fee ${percent(organisation.fee_basis_points)}`}>
      <ul className="flex flex-wrap gap-1.5">
        {names(organisation.modules ?? []).map((name) => (
          <li key={name}>
            <Chip tone="mute">{name}</Chip>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}

function HandOver({ organisation }: { organisation: Organisation }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(organisation, 'name');
  const suspended = organisation.state === 'suspended';
  const addresses = [
    { name: t`Site and market`, url: organisation.url },
    { name: t`The owner's office`, url: `${organisation.url}/owner` },
    { name: t`Staff at the counter`, url: `${organisation.url}/staff` },
  ];
  return (
    <Card office className="px-5 py-6 sm:px-[30px]">
      <h2 className="text-h1-office font-semibold">{suspended ? t`${name} is suspended` : t`${name} is open`}</h2>
      <p className="text-muted-foreground">
        {suspended
          ? t`Customers use the vouchers that they have, and nothing is sold.`
          : t`Send these addresses to the owner, and tell the first password by phone.`}
      </p>
      <ul className="mt-5 divide-y">
        {addresses.map(({ name, url }) => (
          <AddressRow key={url} name={name} url={url}>
            <Button asChild size="row" variant="soft">
              <a href={url} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden />
                {t`Open`}
              </a>
            </Button>
          </AddressRow>
        ))}
      </ul>
    </Card>
  );
}
