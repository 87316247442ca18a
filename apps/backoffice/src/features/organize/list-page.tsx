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
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { MoreButton } from '../../shell/more-button.tsx';
import { type Organisation, states, usePlans } from './organisation.ts';

/** All organisations of the platform, newest first. */
export function OrganisationsPage() {
  const { t } = useLingui();
  useTitle(t`Organisations`);
  const { can } = usePerson();
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const [typed, setTyped] = useState(q);
  const search = useDeferredValue(typed.trim());
  const list = useInfiniteQuery({
    ...pages('/api/admin/organize/list', { limit: 50, ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
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
            void navigate({ to: '.', search: event.target.value ? { q: event.target.value } : {}, replace: true });
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
      {list.isError ? (
        <Failure title={t`Organisations did not load`} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Card office className="overflow-clip">
          <Organisations rows={rows} pending={list.isPending} />
          {!list.isPending && !rows.length && (
            <EmptyState
              title={search ? t`Nothing by that name` : t`No organisation yet`}
              line={search ? t`Try a shorter word.` : t`The first one takes about ten minutes to open.`}
            />
          )}
        </Card>
      )}
      <MoreButton of={list} />
    </div>
  );
}

function Organisations({ rows, pending }: { rows: Organisation[]; pending: boolean }) {
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

function Name({ row }: { row: Organisation }) {
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

function State({ row }: { row: Organisation }) {
  const { i18n } = useLingui();
  const { name, tone } = states[row.state];
  return <Chip tone={tone}>{i18n._(name)}</Chip>;
}

function OrganisationRow({ row }: { row: Organisation }) {
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

function OrganisationCard({ row }: { row: Organisation }) {
  return (
    <Link to="/advwsadmin/organize_edit/$id" params={{ id: row.id }} className="flex items-center gap-3 px-4 py-3">
      <span className="min-w-0 flex-1">
        <Name row={row} />
      </span>
      <State row={row} />
    </Link>
  );
}
