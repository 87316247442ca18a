import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { company } from '@wlv/client/company';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { OrgMark } from '@wlv/ui/org-mark';
import { PackageCard } from '@wlv/ui/package-card';
import { clsx } from 'clsx';
import { ArrowRight, Check, CircleCheck, CircleDashed, EyeOff, PencilLine, Phone as PhoneIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { useColours } from '../../preview/colours.ts';
import { Phone } from '../../preview/phone.tsx';

type State = Detail<'/api/owner/dashboard/firstrun'>;

interface Step {
  title: string;
  line: ReactNode;
  done: boolean;
  /** What is pressed; left out where this person may not do it. */
  action?: { to: string; label: string } | { tel: string; label: string } | undefined;
  /** Where it goes once it is done. */
  more?: { to: string; label: string } | undefined;
  body?: ReactNode;
}

const put = 'first-run';

/** Put away on this device by who has seen enough of it. */
function usePutAway() {
  const [away, setAway] = useState(() => localStorage.getItem(put) === 'away');
  return {
    away,
    putAway: () => {
      localStorage.setItem(put, 'away');
      setAway(true);
    },
  };
}

/**
 * What a new shop still lacks before it sells, each with its state and what to do: null once all is done or it is put away. `alone` says
 * that nothing is on sale, so that there is nothing else to see.
 */
export function useFirstRun() {
  const { away, putAway } = usePutAway();
  const { data } = useQuery({ ...query('/api/owner/dashboard/firstrun', {}), enabled: !away });
  const steps = useSteps(data);
  if (away || !data || steps.every((step) => step.done)) return { list: null, alone: false };
  return { list: <FirstRunList state={data} steps={steps} onPutAway={putAway} />, alone: !data.on_sale };
}

function FirstRunList({ state, steps, onPutAway }: { state: State; steps: Step[]; onPutAway: () => void }) {
  const { t } = useLingui();
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done && step.action);
  return (
    <section aria-labelledby="first-run" className="mb-6 grid grid-cols-1 items-start gap-5 xl:grid-cols-[1fr_404px]">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 id="first-run" className="text-h1-office font-semibold">{t`Open your shop today`}</h2>
            <p className="text-muted-foreground">
              {t`${done} of ${steps.length} are done. You can leave and come back at any time.`}
            </p>
          </div>
          <Button variant="ghost" size="office" onClick={onPutAway}>
            <EyeOff aria-hidden />
            {t`Put away`}
          </Button>
        </div>
        <div aria-hidden className="flex gap-1.5">
          {steps.map((step) => (
            <span key={step.title} className={clsx('h-2 flex-1 rounded-full', step.done ? 'bg-primary' : 'bg-muted')} />
          ))}
        </div>
        <Card office className="p-2">
          <ol className="grid grid-cols-1">
            {steps.map((step, i) => (
              <StepRow key={step.title} step={step} number={i + 1} next={i === next} />
            ))}
          </ol>
        </Card>
      </div>
      <ShopNow state={state} />
    </section>
  );
}

function StepRow({ step, number, next }: { step: Step; number: number; next: boolean }) {
  const { t } = useLingui();
  return (
    <li className={clsx('grid grid-cols-1 gap-3 rounded-touch p-4', next && 'bg-accent')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <span
          className={clsx(
            'grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold',
            step.done && 'bg-ok-soft text-ok-text',
            !step.done && next && 'bg-primary text-primary-foreground',
            !step.done && !next && 'text-quiet shadow-[inset_0_0_0_1.5px_var(--line-strong)]',
          )}
        >
          {step.done ? <Check role="img" aria-label={t`Done`} className="size-[18px]" /> : number}
        </span>
        <span className="min-w-0 flex-1 basis-52">
          <span className="block font-medium">{step.title}</span>
          <span className="block text-caption text-muted-foreground">{step.line}</span>
        </span>
        {step.done && step.more && (
          <Button asChild variant="ghost" size="office">
            <Link to={step.more.to as string}>{step.more.label}</Link>
          </Button>
        )}
        {!step.done && step.action && <Action action={step.action} next={next} />}
      </div>
      {!step.done && step.body}
    </li>
  );
}

function Action({ action, next }: { action: NonNullable<Step['action']>; next: boolean }) {
  const variant = next ? 'default' : 'outline';
  if ('tel' in action) {
    return (
      <Button asChild variant={variant} size="office">
        <a href={`tel:${action.tel.replace(/\s/g, '')}`}>
          <PhoneIcon aria-hidden />
          {action.label}
        </a>
      </Button>
    );
  }
  return (
    <Button asChild variant={variant} size="office">
      <Link to={action.to as string}>
        {next && <ArrowRight aria-hidden />}
        {action.label}
      </Link>
    </Button>
  );
}

function useSteps(state: State | undefined): Step[] {
  const { t } = useLingui();
  const { can } = usePerson();
  if (!state) return [];
  const { draft } = state;
  const to = (may: boolean, path: string, label: string) => (may ? { to: `/owner/${path}`, label } : undefined);
  const call = { tel: company.phone, label: t`Call ${company.phone}` };
  return [
    {
      title: t`Logo and colours`,
      line: state.logo ? t`Customers know the shop by them.` : t`The picture that customers know the shop by.`,
      done: state.logo,
      action: to(can('setting', 'u'), 'settingtheme', t`Add the logo`),
      more: to(can('setting', 'u'), 'settingtheme', t`Change`),
    },
    {
      title: t`First service point`,
      line: state.service_points
        ? t`${state.service_points} open`
        : t`Where vouchers are used. Nothing goes on sale without one.`,
      done: state.service_points > 0,
      action: to(can('servicepoint', 'i'), 'servicepointlist/new', t`Add the place`),
      more: to(can('servicepoint', 'i'), 'servicepointlist/new', t`Add another`),
    },
    {
      title: t`First package`,
      line: state.on_sale
        ? t`${state.on_sale} on sale`
        : draft
          ? t`A draft. Customers do not see it yet.`
          : t`What customers buy: one price, and what they get for it.`,
      done: state.on_sale > 0,
      action: to(
        can('salepackage', draft ? 'u' : 'i'),
        `packagelist/${draft ? draft.id : 'new'}`,
        draft ? t`Go on` : t`Make the package`,
      ),
      more: to(can('salepackage', 'i'), 'packagelist/new', t`Add another`),
      body: draft && <Draft draft={draft} />,
    },
    {
      title: 'LINE',
      line: state.line
        ? t`Connected. Customers sign in by LINE.`
        : t`Customers sign in by LINE, and cannot buy before it is connected. Our team connects it with you.`,
      done: state.line,
      action: call,
    },
    {
      title: t`Payment`,
      line: state.payment
        ? t`Customers can pay.`
        : t`Customers cannot pay before it is connected. Our team connects it with you.`,
      done: state.payment,
      action: call,
    },
    {
      title: t`Invite staff`,
      line: state.accounts
        ? t`${state.accounts} besides you`
        : t`They open a link and scan at the counter at once. You can also scan alone.`,
      done: state.accounts > 0,
      action: to(can('staff', 'i'), 'stafflist', t`Invite`),
      more: to(can('staff', 'i'), 'stafflist', t`Invite more`),
    },
  ];
}

/** The draft, and what it has of what a sale needs. */
function Draft({ draft }: { draft: NonNullable<State['draft']> }) {
  const { t } = useLingui();
  const text = useTexts();
  const needs = [
    { has: draft.parts, title: t`What the customer gets` },
    { has: draft.picture, title: t`Picture` },
    { has: draft.price, title: t`Price` },
  ];
  return (
    <div className="rounded-control bg-card px-4 py-3 sm:ml-12">
      <p className="font-medium">{text(draft, 'name')}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-caption">
        {needs.map(({ has, title }) => (
          <li
            key={title}
            className={clsx('flex items-center gap-1.5', has ? 'text-muted-foreground' : 'text-warn-text')}
          >
            {has ? (
              <CircleCheck role="img" aria-label={t`There`} className="size-4 text-ok-text" />
            ) : (
              <CircleDashed role="img" aria-label={t`Missing`} className="size-4" />
            )}
            {title}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The shop as a customer's phone shows it now, with what is on sale; a draft stands there dashed. */
function ShopNow({ state }: { state: State }) {
  const { t } = useLingui();
  const { org } = usePage();
  const text = useTexts();
  if (!org) return null;
  return (
    <Card office className="hidden justify-items-center gap-4 p-6 xl:grid">
      <h3 className="justify-self-start text-sm font-medium text-muted-foreground">{t`Your shop now`}</h3>
      <Phone {...useColours()} label={t`Your shop now`} width={300} height={560}>
        <div className="min-h-screen bg-background pb-10">
          <Band className="px-4 pb-7 pt-4">
            <div className="flex items-center gap-3">
              <OrgMark logo={org.logo_url} name={text(org, 'name')} size={42} onBand />
              <div className="min-w-0 flex-1">
                <p className="truncate text-base font-semibold">{text(org, 'name')}</p>
                <p className="truncate text-caption text-band-quiet">{text(org, 'tagline')}</p>
              </div>
            </div>
          </Band>
          <Goods state={state} />
        </div>
      </Phone>
      <a
        href={`${location.origin}/`}
        target="_blank"
        rel="noreferrer"
        className="min-h-11 content-center font-medium text-brand-text underline underline-offset-4"
      >
        {location.host}
      </a>
    </Card>
  );
}

function Goods({ state }: { state: State }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { org } = usePage();
  const text = useTexts();
  const { data } = useQuery({
    ...query('/api/owner/get/salepackage', { filter: { status: 5 }, sort: '-sold', limit: 4 }),
    enabled: can('salepackage', 'v'),
  });
  const mark = <OrgMark logo={org?.logo_url} name={org ? text(org, 'name') : ''} size={48} className="opacity-60" />;
  const goods = data?.data ?? [];
  if (!goods.length) {
    return (
      <div className="grid gap-3 p-4">
        <div className="rounded-card border border-dashed border-input">
          <div className="grid h-36 place-items-center rounded-t-card bg-accent">{mark}</div>
          <div className="p-4">
            <p className="text-lead font-medium">{state.draft ? text(state.draft, 'name') : t`Your first package`}</p>
            <p className="mt-1 flex items-center gap-1.5 text-caption text-warn-text">
              <PencilLine aria-hidden className="size-4" />
              {t`Customers do not see it yet.`}
            </p>
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-2 gap-3 p-4">
      {goods.map((one) => (
        <PackageCard
          key={one.id}
          name={text(one, 'name')}
          picture={pictureURL(one.picture_id, 400)}
          mark={mark}
          priceSatang={one.price_satang ?? 0}
          link={(content) => <span>{content}</span>}
        />
      ))}
    </div>
  );
}
