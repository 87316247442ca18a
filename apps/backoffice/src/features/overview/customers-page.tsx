import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, pages, query } from '@wlv/client/call';
import { amount, count, date } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { useDeferredValue, useState } from 'react';
import { type Customer, CustomerTable } from './customer-table.tsx';
import { ListOfAll, RecordDialog, RecordOfRow, useNarrowed } from './list-of-all.tsx';

const sorts = ['-changed_at', '-wallet'] as const;

/** Customers of all organisations; one opens as his organisation has him now. */
export function CustomersPage() {
  const { t } = useLingui();
  const { asked, narrow } = useNarrowed<{ of: string; sort: string }>();
  const sort = sorts.find((one) => one === asked.sort) ?? '-changed_at';
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
              <Select<(typeof sorts)[number]>
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
        <CustomerTable
          rows={list.data?.pages.flatMap((page) => page.data) ?? []}
          onOpen={setOpened}
          onNarrow={(org) => narrow({ of: org })}
        />
      </ListOfAll>
      <RecordDialog onClose={() => setOpened(undefined)}>{opened && <OneCustomer customer={opened} />}</RecordDialog>
    </>
  );
}

function OneCustomer({ customer }: { customer: Customer }) {
  const { t } = useLingui();
  const record = useQuery({
    ...query('/api/admin/user/detail', { org_id: customer.org_id, id: customer.id }),
    staleTime: 60_000,
  });
  return (
    <RecordOfRow
      title={customer.name || t`No name`}
      of={customer}
      record={record}
      facts={
        record.data && [
          [t`Joined`, date(record.data.joined_at)],
          ['Wallet', amount(record.data.wallet_satang)],
          [t`Owes`, amount(record.data.debt_satang)],
          [t`Paid orders`, count(record.data.orders)],
          [t`Vouchers to use`, count(record.data.vouchers)],
        ]
      }
    />
  );
}
