import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { percent } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Select } from '@wlv/ui/select';
import { Check, Layers } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import { useTakeOrganisation } from './changes.ts';
import { useModuleNames } from './module-names.ts';
import { type Organisation, usePlans } from './organisation.ts';

/** Puts an organisation on another plan, and says before what it gains and loses. */
export function PlanDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const names = useModuleNames();
  const take = useTakeOrganisation();
  const plans = (usePlans().data?.data ?? []).filter(({ id, active }) => active || id === organisation.plan_id);
  const [chosen, setChosen] = useState(organisation.plan_id);
  const change = useMutation({
    ...mutation('/api/admin/organize/plan'),
    onSuccess: (now) => {
      take(now);
      onClose();
    },
  });
  const plan = plans.find(({ id }) => id === chosen);
  const has = organisation.modules ?? [];
  const will = plan?.modules ?? [];
  const gained = names(will.filter((module) => !has.includes(module)));
  const lost = names(has.filter((module) => !will.includes(module)));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <Question
        title={t`Change the plan of ${text(organisation, 'name')}`}
        line={t`Menus and rights follow at once. The fee holds for what is ordered from now on.`}
        keep={t`Leave it as it is`}
        button={
          <>
            <Check aria-hidden />
            {t`Change`}
          </>
        }
        disabled={!plan || chosen === organisation.plan_id}
        of={change}
        onYes={() => change.mutate({ id: organisation.id, plan_id: chosen })}
        onDone={onClose}
      >
        <Field label={t`Plan`}>
          <Select
            size="office"
            value={chosen}
            onChange={setChosen}
            options={plans.map((one) => ({
              value: one.id,
              label: t`${text(one, 'name')} · fee ${percent(one.fee_basis_points)}`,
            }))}
          />
        </Field>
        {plan && chosen !== organisation.plan_id && (
          <Note
            tone={lost.length ? 'warn' : 'info'}
            icon={<Layers aria-hidden />}
            title={t`The fee goes from ${percent(organisation.fee_basis_points)} to ${percent(plan.fee_basis_points)}`}
          >
            {gained.length > 0 && <p>{t`It gets: ${gained.join(', ')}`}</p>}
            {lost.length > 0 && <p>{t`It loses, and keeps the data of: ${lost.join(', ')}`}</p>}
          </Note>
        )}
      </Question>
    </Dialog>
  );
}
