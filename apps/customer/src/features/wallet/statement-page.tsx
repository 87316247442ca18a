import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Detail, pages } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useSearch } from '@wlv/client/router';
import { Card } from '@wlv/ui/card';
import { amount, signed } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { monthName } from '../../shop/month-name.ts';
import { type MorePages, MovementDays, MovementsSkeleton } from './movement-days.tsx';
import type { Movement } from './movement-line.tsx';
import { SaveStatement } from './save-statement.tsx';

type Statement = Detail<'/api/user/wallet/statement'>;

/** The month that an address names, or this one, which the server knows. */
function useMonth() {
  const { month = '' } = useSearch<{ month?: string }>();
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : '';
}

/** The pages of a month. While these come there are those of the month before, of which the list of months alone still holds. */
function useStatement(month: string) {
  return useInfiniteQuery({
    ...pages('/api/user/wallet/statement', { month, limit: 30 }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A month of the wallet: what it held before, what came in and went out, what it held then. */
export function StatementPage() {
  const { t } = useLingui();
  const month = useMonth();
  const first = useStatement(month).data?.pages[0];
  return (
    <InnerPage title={t`Wallet statement`} parent="wallet">
      <div className="pb-6 pt-1">
        {first && <MonthChoice months={first.months} chosen={month || first.month} />}
        <Month month={month} />
      </div>
    </InnerPage>
  );
}

function Month({ month }: { month: string }) {
  const { t } = useLingui();
  const statement = useStatement(month);
  if (statement.isError) {
    return (
      <Failure title={t`The statement did not load`} error={statement.error} onRetry={() => void statement.refetch()} />
    );
  }
  if (statement.isPending || statement.isPlaceholderData) return <StatementSkeleton choice={statement.isPending} />;
  const [first] = statement.data.pages;
  if (!first) return null;
  return (
    <>
      <Figures statement={first} />
      <Movements month={first.month} movements={statement.data.pages.flatMap(({ data }) => data)} pages={statement} />
    </>
  );
}

function MonthChoice({ months, chosen }: { months: string[]; chosen: string }) {
  const { t, i18n } = useLingui();
  const { go } = useArea();
  // An address may name a month in which there was no wallet.
  const names = months.includes(chosen) ? months : [chosen, ...months];
  return (
    <Select
      label={t`Month`}
      value={chosen}
      onChange={(month) => void go('wallet/statement', { month }, { replace: true })}
      options={names.map((month) => ({ value: month, label: monthName(month, i18n.locale) }))}
    />
  );
}

function Figures({ statement }: { statement: Statement }) {
  const { t } = useLingui();
  const rows = [
    [t`Opening balance`, amount(statement.opening_satang), ''],
    [t`Money in`, signed(statement.in_satang), statement.in_satang > 0 ? 'text-ok-text' : ''],
    [t`Money out`, signed(-statement.out_satang), ''],
  ] as const;
  return (
    <Card className="mt-3.5 px-4 py-1">
      <dl>
        {rows.map(([name, value, tone]) => (
          <div key={name} className="flex items-baseline justify-between gap-4 border-b py-2.5 text-row">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className={`text-right font-medium ${tone}`}>{value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 py-2">
          <dt className="text-row font-semibold">{t`Closing balance`}</dt>
          <dd className="text-right text-[28px] font-semibold leading-[42px]">{amount(statement.closing_satang)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function Movements({ month, movements, pages }: { month: string; movements: Movement[]; pages: MorePages }) {
  const { t } = useLingui();
  if (!movements.length) {
    return <EmptyState title={t`No money moved in this month`} line={t`The balance of your Wallet stayed the same.`} />;
  }
  return (
    <>
      <SaveStatement month={month} />
      <h2 className="pb-1.5 pt-[18px] text-h2 font-semibold">{t`Movements`}</h2>
      <MovementDays movements={movements} pages={pages} />
    </>
  );
}

function StatementSkeleton({ choice }: { choice: boolean }) {
  return (
    <>
      {choice && <Skeleton className="h-12 rounded-touch" />}
      <Skeleton className="mb-[18px] mt-3.5 h-[202px] rounded-card" />
      <MovementsSkeleton />
    </>
  );
}
