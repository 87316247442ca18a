import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { count } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { Check, CircleAlert } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import { BothLanguages, FormPathContext, PercentField, SwitchField, useFormField } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { Elsewhere } from '../../shell/elsewhere.tsx';
import { type Plan, usePlans } from './organisation.ts';

const path = '/api/admin/plan/add';

/** A plan that is added, or changed for everyone who is on it. */
export function PlanPage() {
  const { t } = useLingui();
  const { id } = useParams({ strict: false });
  const plans = usePlans();
  if (plans.isError && !plans.data) {
    return <Failure title={t`This did not load`} error={plans.error} onRetry={() => void plans.refetch()} />;
  }
  if (!plans.data) return <Skeleton className="m-7 h-96 rounded-office" />;
  const plan = plans.data.data.find((one) => one.id === id);
  if (id && !plan) return <Elsewhere to="/advwsadmin/package_list" />;
  return <PlanForm key={id ?? 'new'} plan={plan} />;
}

function PlanForm({ plan }: { plan: Plan | undefined }) {
  const { t } = useLingui();
  const title = plan ? t`Change a plan` : t`Add a plan`;
  useTitle(title);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { form, saving, changed, error, submit } = useOfficeForm({
    limits: path,
    values: {
      name_th: plan?.name_th ?? '',
      name_en: plan?.name_en ?? '',
      modules: plan?.modules ?? [],
      fee_basis_points: plan?.fee_basis_points ?? 300,
      active: plan?.active ?? true,
    },
    send: async (values) => {
      if (plan) await call('/api/admin/plan/save', { ...values, id: plan.id });
      else await call(path, values);
    },
    onSaved: () => {
      toast({ tone: 'ok', title: t`Saved` });
      void client.invalidateQueries({ queryKey: ['/api/admin/plan/list'] });
      void client.invalidateQueries({ queryKey: ['/api/admin/organize/detail'] });
      void navigate({ to: '/advwsadmin/package_list' });
    },
  });
  return (
    <div className="mx-auto w-full max-w-[860px] px-4 pb-16 pt-6 sm:px-7">
      <FormProvider {...form}>
        <FormPathContext value={path}>
          <FormCard
            title={title}
            line={t`The fee holds for what is ordered from now on.`}
            error={error}
            onSubmit={submit}
          >
            {plan && plan.organisations > 0 && (
              <Note tone="warn" icon={<CircleAlert aria-hidden />}>
                {t`${count(plan.organisations)} organisations are on it: a change is theirs at once.`}
              </Note>
            )}
            <BothLanguages name="name" label={t`Name`} />
            <PercentField name="fee_basis_points" label={t`Fee of each sale`} />
            <ModuleChoice />
            <SwitchField
              name="active"
              label={t`Organisations can be put on it`}
              help={t`Those that are on it stay on it.`}
            />
            <div className="flex justify-end gap-2.5">
              <Button asChild size="office" variant="outline">
                <Link to="/advwsadmin/package_list">{t`Leave it as it is`}</Link>
              </Button>
              <Button type="submit" size="office" disabled={saving || !changed}>
                <Check aria-hidden />
                {t`Save`}
              </Button>
            </div>
          </FormCard>
        </FormPathContext>
      </FormProvider>
    </div>
  );
}

function ModuleChoice() {
  const { t } = useLingui();
  const text = useTexts();
  const modules = usePlans().data?.modules ?? [];
  const { value, onChange, error } = useFormField<string[]>('modules', t`Modules`);
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 text-sm font-medium">{t`Modules`}</legend>
      <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
        {modules.map((module) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name
          <label key={module.name} className="flex items-center gap-2.5">
            <Checkbox
              size="office"
              checked={value.includes(module.name)}
              onCheckedChange={(on) =>
                onChange(on ? [...value, module.name] : value.filter((one) => one !== module.name))
              }
            />
            <span className="text-sm">{text(module, 'name')}</span>
          </label>
        ))}
      </div>
      {error && <p className="text-caption text-bad-text">{error}</p>}
    </fieldset>
  );
}
