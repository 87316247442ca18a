import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '@wlv/client/call';
import { useTexts, useTitle } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { ArrowLeft, ArrowRight, CloudCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FormProvider, get, useWatch } from 'react-hook-form';
import { FormPathContext } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { type Check, useOfficeForm } from '../../form/office-form.ts';
import { useOffer } from './connections.ts';
import { bodyOf, type Draft, dropDraft, hostsOf, keepDraft, readDraft } from './draft.ts';
import { usePlans } from './organisation.ts';
import { OrganisationCard } from './organisation-card.tsx';
import { WizardFrame } from './wizard-frame.tsx';
import { LineStep, LookStep, NamesStep, OwnerStep, PaymentStep, PlanStep } from './wizard-steps.tsx';

/** What the description of the API can't say. */
const check: Check<Draft> = ({ plan_id, unique, owner }) => ({
  ...(plan_id ? {} : { plan_id: 'field.required' }),
  ...(unique ? {} : { unique: 'field.required' }),
  ...(owner.password ? {} : { 'owner.password': 'field.required' }),
});

function useSteps(draft: Draft) {
  const { t } = useLingui();
  const text = useTexts();
  const plans = usePlans();
  const offer = useOffer();
  const plan = plans.data?.data.find(({ id }) => id === draft.plan_id);
  const apps = Object.values(draft.liff).filter(Boolean).length;
  return {
    plan,
    steps: [
      {
        title: t`Organisation`,
        fields: ['name_th', 'name_en', 'tagline_th', 'tagline_en', 'unique'],
        line: text(draft, 'name'),
        body: <NamesStep />,
      },
      { title: t`Plan and modules`, fields: ['plan_id'], line: plan ? text(plan, 'name') : '', body: <PlanStep /> },
      {
        title: t`LINE and LIFF`,
        fields: [
          'line.channel_id',
          'line.channel_secret',
          'liff.liffuser',
          'liff.liffagent',
          'liff.lifftrade',
          'liff.lifftransfer',
          'liff',
        ],
        line: draft.line.channel_id ? t`${apps} apps` : t`Later`,
        leftOut: !draft.line.channel_id,
        body: <LineStep />,
      },
      {
        title: t`Payments`,
        fields: ['payment.public_key', 'payment.secret_key', 'payment.webhook_secret'],
        line: draft.payment.public_key
          ? t`Own gateway keys`
          : offer.data?.platform_account
            ? t`The platform's account`
            : t`Later`,
        leftOut: !draft.payment.public_key && !offer.data?.platform_account,
        body: <PaymentStep />,
      },
      {
        title: t`Colours and address`,
        fields: ['logo', 'background_color_primary', 'background_color_secondary', 'hosts'],
        line: hostsOf(draft)[0] ?? '',
        body: <LookStep />,
      },
      {
        title: t`The owner's account`,
        fields: ['owner.name', 'owner.username', 'owner.password'],
        line: draft.owner.name,
        body: <OwnerStep />,
      },
    ],
  };
}

/** From a form to a site that is live; can be left at any step. */
export function WizardPage() {
  const { t } = useLingui();
  const text = useTexts();
  useTitle(t`Open an organisation`);
  const navigate = useNavigate();
  const client = useQueryClient();
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(false);
  const [start] = useState(readDraft);
  const { form, saving, error, submit } = useOfficeForm<Draft, { id: string }>({
    limits: '/api/admin/organize/save',
    values: start,
    check,
    send: (draft) => call('/api/admin/organize/save', bodyOf(draft)),
    onSaved: ({ id }) => {
      dropDraft();
      void client.invalidateQueries({ queryKey: ['/api/admin/organize/list'] });
      void navigate({ to: '/advwsadmin/organize_edit/$id', params: { id } });
    },
  });
  const draft = useWatch({ control: form.control }) as Draft;
  const { plan, steps } = useSteps(draft);
  const step = steps[at];
  const last = at === steps.length - 1;

  useEffect(() => keepDraft(draft), [draft]);
  useShowProblem({
    errors: form.formState.errors,
    when: asked && !saving,
    steps: steps.map(({ fields }) => fields),
    show: (found) => {
      setAt(found);
      setAsked(false);
    },
  });

  const next = async () => {
    if (!step) return;
    if (!(await form.trigger(step.fields as never, { shouldFocus: true }))) return;
    if (!last) return setAt(at + 1);
    await submit();
    setAsked(true);
  };

  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/admin/organize/save">
        <WizardFrame
          title={t`Open an organisation`}
          steps={[
            ...steps.map(({ title, line, leftOut }, i) => ({
              title,
              line: i < at ? line : '',
              state: i === at ? ('now' as const) : i < at && !leftOut ? ('done' as const) : ('later' as const),
              ...(i < at && !saving ? { onOpen: () => setAt(i) } : {}),
            })),
            { title: t`Building`, state: 'later' },
            { title: t`Hand over to the owner`, state: 'later' },
          ]}
          card={
            <OrganisationCard
              name={text(draft, 'name')}
              unique={draft.unique}
              logo={draft.logo || null}
              primary={colour(draft.background_color_primary, '#061c33')}
              secondary={colour(draft.background_color_secondary, '#d3ae55')}
              facts={[
                { name: t`Plan`, value: plan && text(plan, 'name') },
                { name: t`Fee`, value: plan && t`${plan.fee_basis_points / 100}% of each sale` },
                { name: t`Address`, value: hostsOf(draft)[0] },
              ]}
              owner={
                <>
                  <Avatar src={null} size={36} />
                  <div className="min-w-0 text-sm">
                    <p className="truncate font-medium">{draft.owner.name || t`The owner`}</p>
                    <p className="truncate text-caption text-quiet">
                      {draft.owner.username || t`User name comes later`}
                    </p>
                  </div>
                </>
              }
            />
          }
          foot={
            <>
              <Button variant="outline" size="office" disabled={at === 0 || saving} onClick={() => setAt(at - 1)}>
                <ArrowLeft aria-hidden />
                {t`Back`}
              </Button>
              <p className="flex min-w-0 flex-1 items-center justify-end gap-2 text-caption text-quiet max-sm:hidden">
                <CloudCheck aria-hidden className="size-[18px] text-ok-text" />
                {t`Kept on this machine as you type; secrets are not.`}
              </p>
              <Button size="office" className="max-sm:ml-auto" disabled={saving} onClick={() => void next()}>
                {last ? (saving ? t`Sending…` : t`Open the organisation`) : t`Next`}
                <ArrowRight aria-hidden />
              </Button>
            </>
          }
        >
          <FormCard error={error} onSubmit={next}>
            {step?.body}
            <button type="submit" hidden />
          </FormCard>
        </WizardFrame>
      </FormPathContext>
    </FormProvider>
  );
}

const colour = (typed: string, otherwise: string) => (/^#[0-9a-f]{6}$/.test(typed) ? typed : otherwise);

/** After the server refused: goes to the first step with a field it is about. */
function useShowProblem({
  errors,
  when,
  steps,
  show,
}: {
  errors: object;
  when: boolean;
  steps: string[][];
  show: (step: number) => void;
}) {
  const latest = useRef({ steps, show });
  latest.current = { steps, show };
  useEffect(() => {
    if (!when) return;
    const found = latest.current.steps.findIndex((fields) => fields.some((field) => get(errors, field)));
    if (found >= 0) latest.current.show(found);
  }, [errors, when]);
}
