import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, pages, query } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { amount, count, date } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { useDeferredValue, useState } from 'react';
import { useMayCall } from '../../access/admin-right.ts';
import { Question } from '../../record/question.tsx';
import { type Customer, CustomerStanding, CustomerTable } from './customer-table.tsx';
import { ListOfAll, RecordDialog, RecordOfRow, useNarrowed } from './list-of-all.tsx';

type Asked = 'suspend' | 'resume';

const sorts = ['-changed_at', '-wallet'] as const;

/** Customers of all organisations; one opens as his organisation has him now. */
export function CustomersPage() {
  const { t } = useLingui();
  const { asked, narrow } = useNarrowed<{ of: string; sort: string }>();
  const sort = sorts.find((one) => one === asked.sort) ?? '-changed_at';
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Customer>();
  const [asking, setAsking] = useState<Asked>();
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
      <RecordDialog
        onClose={() => {
          setOpened(undefined);
          setAsking(undefined);
        }}
      >
        {opened &&
          (asking ? (
            <SetStatus customer={opened} active={asking === 'suspend'} onDone={() => setAsking(undefined)} />
          ) : (
            <OneCustomer customer={opened} onAsk={setAsking} />
          ))}
      </RecordDialog>
    </>
  );
}

function OneCustomer({ customer, onAsk }: { customer: Customer; onAsk: (what: Asked) => void }) {
  const { t } = useLingui();
  const maySet = useMayCall()('/api/admin/user/suspend');
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
          [
            t`Status`,
            record.data.status === 5 ? t`Active` : <CustomerStanding key="status" status={record.data.status} />,
          ],
          [t`Joined`, date(record.data.joined_at)],
          ['Wallet', amount(record.data.wallet_satang)],
          [t`Owes`, amount(record.data.debt_satang)],
          [t`Paid orders`, count(record.data.orders)],
          [t`Vouchers to use`, count(record.data.vouchers)],
        ]
      }
    >
      {maySet && (
        <Button
          wide
          variant="outline"
          className="my-4"
          onClick={() => onAsk(record.data?.status === 5 ? 'suspend' : 'resume')}
        >
          {record.data?.status === 5 ? t`Suspend this customer` : t`Serve this customer again`}
        </Button>
      )}
    </RecordOfRow>
  );
}

/** Asks whether a customer is no longer served, or is again. */
function SetStatus({ customer, active, onDone }: { customer: Customer; active: boolean; onDone: () => void }) {
  const { t } = useLingui();
  const name = customer.name || t`No name`;
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () =>
      call(active ? '/api/admin/user/suspend' : '/api/admin/user/resume', { org_id: customer.org_id, id: customer.id }),
    onSuccess: async () => {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => /^\/api\/admin\/(user|wallet)\//.test(String(queryKey[0])),
      });
      onDone();
    },
  });
  return active ? (
    <Question
      title={t`Suspend ${name}?`}
      line={t`He is signed out, and cannot buy or use anything at this organisation. His gifts that nobody has received and his offers end. What he has stays his, also the money in his Wallet. The organisation’s audit log says that the platform did it.`}
      button={t`Suspend`}
      takesAway
      of={set}
      onYes={() => set.mutate()}
      onDone={onDone}
    />
  ) : (
    <Question
      title={t`Serve ${name} again?`}
      line={t`He can sign in, buy and use what he has. Gifts and offers that ended stay so.`}
      button={t`Serve again`}
      of={set}
      onYes={() => set.mutate()}
      onDone={onDone}
    />
  );
}
