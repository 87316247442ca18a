import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { call, pages, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { amount, count, date, dateTime } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { useDeferredValue, useState } from 'react';
import { Facts } from '../../resource/facts.tsx';
import { ListOfAll, OpenRow, OrganisationOf } from './list-of-all.tsx';

type Customer = Row<'/api/admin/user/list'>;
const sorts = ['-changed_at', '-wallet'] as const;
type Sort = (typeof sorts)[number];

/** What the list is narrowed to and ordered by, as the address says it. */
interface Narrowed {
  of?: string;
  sort?: Sort;
}

/** Customers of all organisations; one opens as his organisation has him now. */
export function CustomersPage() {
  const { t } = useLingui();
  const asked = useSearch({ strict: false }) as Narrowed;
  const sort = asked.sort && sorts.includes(asked.sort) ? asked.sort : '-changed_at';
  const navigate = useNavigate();
  const narrow = (change: { of?: string; sort?: Sort }) => {
    const kept = Object.entries({ ...asked, ...change }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
  };
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Customer>();
  const search = useDeferredValue(typed.trim());
  const filter = { sort, ...(asked.of ? { org_id: asked.of } : {}), ...(search ? { search } : {}) };
  const list = useInfiniteQuery({
    ...pages('/api/admin/user/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ListOfAll
        title={t`Customers of all organisations`}
        search={typed}
        onSearch={setTyped}
        onWiden={asked.of ? () => narrow({ of: '' }) : undefined}
        list={list}
        makeFile={() => call('/api/admin/user/file', filter)}
        cutNote={t`The file has the first 10,000 customers. Choose one organisation.`}
        note={t`The same person in two organisations is two customers. Whoever you open, the organisation’s audit log says that you looked.`}
        order={
          !search && (
            <span className="w-56">
              <Select<Sort>
                size="office"
                label={t`Order`}
                value={sort}
                onChange={(next) => narrow({ sort: next })}
                options={[
                  { value: '-changed_at', label: t`Changed last` },
                  { value: '-wallet', label: t`Most in the Wallet` },
                ]}
              />
            </span>
          )
        }
      >
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Customer`}</TableHeader>
            <TableHeader>{t`Organisation`}</TableHeader>
            <TableHeader className="text-right">Wallet</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Changed`}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {list.data?.pages
            .flatMap((page) => page.data)
            .map((row) => (
              <TableRow key={`${row.org_id} ${row.id}`}>
                <TableCell className="pl-[18px]">
                  <OpenRow name={row.name} onClick={() => setOpened(row)} />
                </TableCell>
                <TableCell>
                  <OrganisationOf row={row} onClick={() => narrow({ of: row.org_id })} />
                </TableCell>
                <TableCell className="text-right">{amount(row.wallet_satang)}</TableCell>
                <TableCell className="max-sm:hidden">{dateTime(row.changed_at)}</TableCell>
              </TableRow>
            ))}
        </TableBody>
      </ListOfAll>
      <Dialog open={Boolean(opened)} onOpenChange={(open) => !open && setOpened(undefined)}>
        {opened && <OneCustomer customer={opened} />}
      </Dialog>
    </>
  );
}

function OneCustomer({ customer }: { customer: Customer }) {
  const { t } = useLingui();
  const text = useTexts();
  const record = useQuery({
    ...query('/api/admin/user/detail', { org_id: customer.org_id, id: customer.id }),
    staleTime: 60_000,
  });
  return (
    <DialogContent title={customer.name || t`No name`} description={text(customer, 'org_name')}>
      {record.isPending && <Skeleton className="h-40 rounded-office" />}
      {record.isError && (
        <Failure title={t`This did not load`} error={record.error} onRetry={() => void record.refetch()} />
      )}
      {record.data && (
        <Facts
          of={[
            [t`Joined`, date(record.data.joined_at)],
            ['Wallet', amount(record.data.wallet_satang)],
            [t`Owes`, amount(record.data.debt_satang)],
            [t`Paid orders`, count(record.data.orders)],
            [t`Vouchers to use`, count(record.data.vouchers)],
          ]}
        />
      )}
      <Link
        to="/advwsadmin/organize_edit/$id"
        params={{ id: customer.org_id }}
        className="mt-4 inline-block text-caption text-brand-text underline underline-offset-4"
      >
        {t`Open the organisation`}
      </Link>
    </DialogContent>
  );
}
