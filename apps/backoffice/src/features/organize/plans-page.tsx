import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { count, percent } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { Check, Plus } from 'lucide-react';
import { usePerson } from '../../access/person.ts';
import { type Plan, usePlans } from './organisation.ts';

/** The plans beside each other, and which modules each has. */
export function PlansPage() {
  const { t } = useLingui();
  useTitle(t`Plans and modules`);
  const { can } = usePerson();
  const plans = usePlans();
  return (
    <div className="mx-auto w-full max-w-[1640px] px-4 pb-16 pt-6 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-h1-office font-semibold">{t`Plans and modules`}</h1>
          <p className="text-muted-foreground">
            {t`A module that is off is gone from menus and rights at once; what is in it stays.`}
          </p>
        </div>
        {can('package', 'i') && (
          <Button asChild size="office">
            <Link to="/advwsadmin/package_add">
              <Plus aria-hidden />
              {t`Add a plan`}
            </Link>
          </Button>
        )}
      </div>
      {plans.isPending && <Skeleton className="h-96 rounded-office" />}
      {plans.isError && (
        <Failure title={t`This did not load`} error={plans.error} onRetry={() => void plans.refetch()} />
      )}
      {plans.data && (
        <Card office className="overflow-x-auto">
          <Matrix plans={plans.data.data} modules={plans.data.modules} />
        </Card>
      )}
    </div>
  );
}

type Module = NonNullable<ReturnType<typeof usePlans>['data']>['modules'][number];

function Matrix({ plans, modules }: { plans: Plan[]; modules: Module[] }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Table>
      <TableHead>
        <tr>
          <TableHeader className="pl-[18px]">{t`Module`}</TableHeader>
          {plans.map((plan) => (
            <TableHeader key={plan.id}>
              <PlanHead plan={plan} />
            </TableHeader>
          ))}
        </tr>
      </TableHead>
      <TableBody>
        {modules.map((module) => (
          <TableRow key={module.name}>
            <TableCell className="pl-[18px] font-medium">{text(module, 'name')}</TableCell>
            {plans.map((plan) => (
              <TableCell key={plan.id}>
                {plan.modules.includes(module.name) ? (
                  <Check role="img" aria-label={t`Has it`} className="size-[18px] text-ok-text" />
                ) : (
                  <span className="text-quiet">–</span>
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function PlanHead({ plan }: { plan: Plan }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const text = useTexts();
  const name = text(plan, 'name');
  return (
    <span className="grid gap-1 py-2">
      <span className="flex flex-wrap items-center gap-2">
        {can('package', 'u') ? (
          <Link
            to="/advwsadmin/package_edit/$id"
            params={{ id: plan.id }}
            className="font-semibold text-brand-text underline-offset-4 hover:underline"
          >
            {name}
          </Link>
        ) : (
          <span className="font-semibold text-foreground">{name}</span>
        )}
        {!plan.active && <Chip tone="mute">{t`Not offered`}</Chip>}
      </span>
      <span className="text-caption font-normal text-quiet">{t`Fee ${percent(plan.fee_basis_points)}`}</span>
      <Link
        to="/advwsadmin/organize_list"
        search={{ plan: plan.id }}
        className="text-caption font-normal text-quiet underline underline-offset-4"
      >
        {t`${count(plan.organisations)} organisations`}
      </Link>
    </span>
  );
}
