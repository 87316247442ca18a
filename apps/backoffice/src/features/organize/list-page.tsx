import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { pages } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { count, date } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { OrgMark } from '@wlv/ui/org-mark';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@wlv/ui/tabs';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { MoreButton } from '../../shell/more-button.tsx';
import { type Row, states, usePlans } from './organisation.ts';

/** How the list may be ordered; the names follow the language of the screen. */
const orders = ['-created_at', 'created_at', 'name', 'unique'] as const;
type Order = (typeof orders)[number];

/** What the list is narrowed to and ordered by, as the address says it. */
interface Narrowed {
  q?: string;
  state?: Row['state'];
  plan?: string;
  sort?: Order;
}

/** All organisations of the platform: searched, by state and plan, ordered. */
export function OrganisationsPage() {
  const { t, i18n } = useLingui();
  useTitle(t`Organisations`);
  const { can } = usePerson();
  const navigate = useNavigate();
  const narrowed = useSearch({ strict: false }) as Narrowed;
  const state = narrowed.state && narrowed.state in states ? narrowed.state : undefined;
  const sort = narrowed.sort && orders.includes(narrowed.sort) ? narrowed.sort : '-created_at';
  const [typed, setTyped] = useState(narrowed.q ?? '');
  const search = useDeferredValue(typed.trim());
  const narrow = (change: Narrowed) => {
    const kept = Object.entries({ ...narrowed, ...change }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
  };
  const list = useInfiniteQuery({
    ...pages('/api/admin/organize/list', {
      limit: 50,
      sort: sort === 'name' ? (i18n.locale === 'th' ? 'name_th' : 'name_en') : sort,
      ...(search ? { search } : {}),
      ...(state ? { state } : {}),
      ...(narrowed.plan ? { plan_id: narrowed.plan } : {}),
    }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const asked = Boolean(search || state || narrowed.plan);
  const total = list.data?.pages[0]?.total ?? 0;

  return (
    <div className="mx-auto w-full max-w-[1640px] px-4 pb-16 pt-6 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1-office font-semibold">{t`Organisations`}</h1>
        <p className="flex-1 text-quiet">{list.data && t`${count(total)} in all`}</p>
        <Input
          size="office"
          className="max-w-[270px]"
          aria-label={t`Search by name`}
          placeholder={t`Search by name`}
          before={<Search aria-hidden className="size-4" />}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            narrow({ q: event.target.value });
          }}
        />
        {can('organize', 'i') && (
          <Button asChild size="office">
            <Link to="/advwsadmin/organize_add">
              <Plus aria-hidden />
              {t`Open an organisation`}
            </Link>
          </Button>
        )}
      </div>
      <Tabs value={state ?? 'all'} onValueChange={(next) => narrow({ state: next === 'all' ? '' : next } as Narrowed)}>
        <Narrowing plan={narrowed.plan} sort={sort} counts={list.data?.pages[0]?.states} onChange={narrow} />
        <TabsContent value={state ?? 'all'}>
          {list.isError ? (
            <Failure title={t`Organisations did not load`} error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <Card office className="overflow-clip">
              <Organisations rows={rows} pending={list.isPending} />
              {!list.isPending && !rows.length && (
                <EmptyState
                  title={asked ? t`Nothing that fits` : t`No organisation yet`}
                  line={
                    asked
                      ? t`Try a shorter word, or another state or plan.`
                      : t`The first one takes about ten minutes to open.`
                  }
                />
              )}
            </Card>
          )}
          <MoreButton of={list} />
        </TabsContent>
      </Tabs>
    </div>
  );
}

function Narrowing({
  plan,
  sort,
  counts,
  onChange,
}: {
  plan: string | undefined;
  sort: Order;
  counts: Record<Row['state'], number> | undefined;
  onChange: (change: Narrowed) => void;
}) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const plans = usePlans().data?.data ?? [];
  const names: Record<Order, string> = {
    '-created_at': t`Newest first`,
    created_at: t`Oldest first`,
    name: t`By name`,
    unique: t`By short name`,
  };
  const all = counts && counts.live + counts.suspended + counts.provisioning;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <TabsList variant="underline">
          <TabsTrigger value="all">
            {t({ message: 'All', context: 'organisations' })} {all !== undefined && count(all)}
          </TabsTrigger>
          {(Object.keys(states) as Row['state'][]).map((one) => (
            <TabsTrigger key={one} value={one}>
              {i18n._(states[one].name)} {counts && count(counts[one])}
            </TabsTrigger>
          ))}
        </TabsList>
      </div>
      <span className="w-44">
        <Select
          size="office"
          label={t`Plan`}
          value={plans.some(({ id }) => id === plan) ? (plan as string) : 'all'}
          onChange={(next) => onChange({ plan: next === 'all' ? '' : next })}
          options={[
            { value: 'all', label: t`All plans` },
            ...plans.map((one) => ({ value: one.id, label: text(one, 'name') })),
          ]}
        />
      </span>
      <span className="w-44">
        <Select
          size="office"
          label={t`Order`}
          value={sort}
          onChange={(next) => onChange({ sort: next })}
          options={orders.map((one) => ({ value: one, label: names[one] }))}
        />
      </span>
    </div>
  );
}

function Organisations({ rows, pending }: { rows: Row[]; pending: boolean }) {
  const { t } = useLingui();
  if (pending) {
    return (
      <div role="status" aria-label={t`Loading…`} className="grid gap-3 p-5">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    );
  }
  if (!rows.length) return null;
  return (
    <>
      <ul className="divide-y sm:hidden">
        {rows.map((row) => (
          <li key={row.id}>
            <OrganisationCard row={row} />
          </li>
        ))}
      </ul>
      <Table className="max-sm:hidden">
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Organisation`}</TableHeader>
            <TableHeader>{t`Plan`}</TableHeader>
            <TableHeader className="max-lg:hidden">{t`Address`}</TableHeader>
            <TableHeader>{t`Opened`}</TableHeader>
            <TableHeader>{t`State`}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <OrganisationRow key={row.id} row={row} />
          ))}
        </TableBody>
      </Table>
    </>
  );
}

function Name({ row }: { row: Row }) {
  const text = useTexts();
  return (
    <span className="flex items-center gap-3">
      <OrgMark
        logo={null}
        name={row.name_th}
        size={38}
        colours={{ color: row.text_on_primary, background: row.background_color_primary }}
      />
      <span className="min-w-0">
        <span className="block truncate font-medium text-foreground">{text(row, 'name')}</span>
        <span className="block text-caption text-quiet">{row.unique}</span>
      </span>
    </span>
  );
}

function State({ row }: { row: Row }) {
  const { i18n } = useLingui();
  const { name, tone } = states[row.state];
  return <Chip tone={tone}>{i18n._(name)}</Chip>;
}

function OrganisationRow({ row }: { row: Row }) {
  const text = useTexts();
  const plans = usePlans();
  const plan = plans.data?.data.find(({ id }) => id === row.plan_id);
  return (
    <TableRow className="relative">
      <TableCell className="pl-[18px]">
        <Link to="/advwsadmin/organize_edit/$id" params={{ id: row.id }} className="after:absolute after:inset-0">
          <Name row={row} />
        </Link>
      </TableCell>
      <TableCell className="text-muted-foreground">{plan ? text(plan, 'name') : ''}</TableCell>
      <TableCell className="text-muted-foreground max-lg:hidden">{row.url.replace(/^https?:\/\//, '')}</TableCell>
      <TableCell className="text-muted-foreground">{date(row.created_at)}</TableCell>
      <TableCell>
        <State row={row} />
      </TableCell>
    </TableRow>
  );
}

function OrganisationCard({ row }: { row: Row }) {
  return (
    <Link to="/advwsadmin/organize_edit/$id" params={{ id: row.id }} className="flex items-center gap-3 px-4 py-3">
      <span className="min-w-0 flex-1">
        <Name row={row} />
      </span>
      <State row={row} />
    </Link>
  );
}
