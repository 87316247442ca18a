import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { call, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { countdown } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Note } from '@wlv/ui/note';
import { WaitingRing } from '@wlv/ui/ring';
import { Skeleton } from '@wlv/ui/skeleton';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, CircleDashed, CloudCheck, RefreshCw } from 'lucide-react';
import { type Organisation, type Step, usePlans } from './organisation.ts';
import { OrganisationCard } from './organisation-card.tsx';
import { RecordPage } from './record-page.tsx';
import { WizardFrame } from './wizard-frame.tsx';

/** An organisation: how far it is while it is built, which goes on without this page, and its record from then on. */
export function OrganisationPage() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const organisation = useQuery({
    ...query('/api/admin/organize/detail', { id }),
    refetchInterval: ({ state }) => (state.data?.state === 'provisioning' ? 1000 : false),
  });
  if (organisation.isError && !organisation.data) {
    return (
      <Failure
        title={t`The organisation did not load`}
        error={organisation.error}
        onRetry={() => void organisation.refetch()}
      />
    );
  }
  if (!organisation.data) return <Skeleton className="m-7 h-96 rounded-office" />;
  if (organisation.data.state !== 'provisioning') return <RecordPage organisation={organisation.data} />;
  return <Progress organisation={organisation.data} />;
}

function Progress({ organisation }: { organisation: Organisation }) {
  const { t } = useLingui();
  const text = useTexts();
  const plans = usePlans();
  const name = text(organisation, 'name');
  useTitle(name);
  const plan = plans.data?.data.find(({ id }) => id === organisation.plan_id);
  const done = organisation.steps.filter(({ state }) => state === 'done').length;
  const connected = Object.values(organisation.liff).some(Boolean);
  const decided: { title: string; line?: string; leftOut?: boolean }[] = [
    { title: t`Organisation`, line: name },
    { title: t`Plan and modules`, line: plan ? text(plan, 'name') : '' },
    connected ? { title: t`LINE and LIFF` } : { title: t`LINE and LIFF`, line: t`Later`, leftOut: true },
    { title: t`Payments` },
    { title: t`Colours and address`, line: organisation.host },
    { title: t`The owner's account` },
  ];

  return (
    <WizardFrame
      title={t`Open an organisation`}
      steps={[
        ...decided.map(({ leftOut, ...step }) => ({
          ...step,
          state: leftOut ? ('later' as const) : ('done' as const),
        })),
        {
          title: t`Building`,
          line: t`${done} of ${organisation.steps.length} done`,
          state: 'now',
        },
        { title: t`Hand over to the owner`, state: 'later' },
      ]}
      card={
        <OrganisationCard
          name={name}
          unique={organisation.unique}
          logo={organisation.logo_url}
          primary={organisation.background_color_primary}
          secondary={organisation.background_color_secondary}
          facts={[
            { name: t`Plan`, value: plan && text(plan, 'name') },
            { name: t`Fee`, value: plan && t`${plan.fee_basis_points / 100}% of each sale` },
            { name: t`Address`, value: organisation.url.replace(/^https?:\/\//, '') },
          ]}
          owner={
            <>
              <Avatar src={null} size={36} />
              <p className="text-sm font-medium">{t`The owner's account is made by the build.`}</p>
            </>
          }
        />
      }
      foot={
        <>
          <p className="flex min-w-0 flex-1 items-center gap-2 text-caption text-quiet">
            <CloudCheck aria-hidden className="size-[18px] shrink-0 text-ok-text" />
            {t`You can close this page; the work goes on.`}
          </p>
          <Button asChild size="office" variant="outline">
            <Link to="/advwsadmin/organize_list">{t`To all organisations`}</Link>
          </Button>
        </>
      }
    >
      <Building organisation={organisation} name={name} done={done} />
    </WizardFrame>
  );
}

function Building({ organisation, name, done }: { organisation: Organisation; name: string; done: number }) {
  const { t } = useLingui();
  const share = organisation.steps.length ? done / organisation.steps.length : 0;
  const broken = organisation.steps.some(({ state }) => state === 'failed');
  return (
    <Card office className="px-5 py-6 sm:px-[30px]">
      <div className="flex items-start gap-5">
        <div className="min-w-0 flex-1">
          <h2 className="text-h1-office font-semibold">{t`Building ${name}`}</h2>
          <p role="status" className="text-muted-foreground">
            {broken ? t`One step did not work. What is done stays done.` : t`This takes less than a minute.`}
          </p>
        </div>
        <p className="text-[30px] font-semibold leading-[44px]">{Math.round(share * 100)}%</p>
      </div>
      <Meter value={share} className="my-4 h-2.5!" />
      <ol className="divide-y">
        {organisation.steps.map((step) => (
          <StepRow key={step.name} step={step} organisation={organisation.id} />
        ))}
      </ol>
    </Card>
  );
}

function useStepNames(): Record<Step['name'], { name: string; line: string }> {
  const { t } = useLingui();
  return {
    schema: { name: t`Make the organisation's database`, line: t`A schema and a role of its own` },
    tables: { name: t`Make its tables`, line: t`Vouchers, wallets, catalogue, people` },
    rows: { name: t`Put in the first texts and states`, line: t`Terms, permission sets, names of states` },
    owner: { name: t`Make the owner's account`, line: t`With the first password` },
    addresses: { name: t`Connect its addresses`, line: t`Hosts and LIFF apps` },
    live: { name: t`Open the site`, line: t`From here on customers can come` },
  };
}

function StepRow({ step, organisation }: { step: Step; organisation: string }) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const known = useStepNames()[step.name];
  const retry = useMutation({
    mutationFn: () => call('/api/admin/organize/retry', { id: organisation }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['/api/admin/organize/detail'] }),
  });
  const failed = step.state === 'failed';
  const said = ({ name, detail }: Step) => {
    if (failed) return t`This did not work. Its cause is in the log.`;
    if (!detail) return undefined;
    return name === 'addresses' ? t`Waits for its DNS: ${detail}` : detail;
  };
  return (
    <li className="flex flex-wrap items-center gap-4 py-2.5">
      <StepIcon state={step.state} />
      <div className="min-w-0 flex-1">
        <p
          className={clsx(
            step.state === 'running' ? 'font-semibold' : 'font-medium',
            step.state === 'waiting' && 'text-quiet',
          )}
        >
          {known?.name ?? step.name}
        </p>
        <p className={clsx('truncate text-caption', failed ? 'text-bad-text' : 'text-quiet')}>
          {said(step) ?? known?.line}
          {step.attempt > 1 && t` · try ${step.attempt}`}
        </p>
      </div>
      <Seconds step={step} />
      {failed && (
        <Button size="row" variant="outline" disabled={retry.isPending} onClick={() => retry.mutate()}>
          <RefreshCw aria-hidden />
          {t`Try again`}
        </Button>
      )}
      {retry.isError && (
        <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="w-full">
          {errorSentence(i18n, retry.error)}
        </Note>
      )}
    </li>
  );
}

function StepIcon({ state }: { state: Step['state'] }) {
  if (state === 'done') return <CircleCheck aria-hidden className="size-6 text-ok-text" />;
  if (state === 'failed') return <CircleAlert aria-hidden className="size-6 text-bad-text" />;
  if (state === 'running') return <WaitingRing size={24} />;
  return <CircleDashed aria-hidden className="size-6 text-quiet" />;
}

/** How long it took, or has taken so far. */
function Seconds({ step }: { step: Step }) {
  const { t } = useLingui();
  if (!step.started_at) return null;

  const started = new Date(step.started_at).getTime();
  const seconds = step.finished_at === null ? null : (new Date(step.finished_at).getTime() - started) / 1000;
  return (
    <span className="text-caption text-quiet">
      {seconds === null ? <Running since={started} /> : t`${Math.max(0, seconds).toFixed(1)} s`}
    </span>
  );
}

function Running({ since }: { since: number }) {
  return countdown(Math.max(0, Math.floor((useNow() - since) / 1000)));
}
