import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, pages, query } from '@wlv/client/call';
import { amount, dateTime } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { useDeferredValue, useState } from 'react';
import { type Customer, CustomerTable } from './customer-table.tsx';
import { ListOfAll, RecordDialog, RecordOfRow, useNarrowed } from './list-of-all.tsx';

const sorts = ['-wallet', '-debt'] as const;

/** The wallets of all organisations' customers; one opens as its organisation has it now. */
export function WalletsPage() {
  const { t } = useLingui();
  const { asked, narrow } = useNarrowed<{ of: string; sort: string }>();
  const sort = sorts.find((one) => one === asked.sort) ?? '-wallet';
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Customer>();
  const search = useDeferredValue(typed.trim());
  const filter = { sort, ...(asked.of ? { org_id: asked.of } : {}), ...(search ? { search } : {}) };
  const list = useInfiniteQuery({
    ...pages('/api/admin/wallet/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pages[0]?.total_satang;
  return (
    <>
      <ListOfAll
        title={t`Wallets of all organisations`}
        search={typed}
        onSearch={setTyped}
        onWiden={asked.of ? () => narrow({ of: '' }) : undefined}
        list={list}
        makeFile={() => call('/api/admin/wallet/file', filter)}
        cutNote={t`The file has the first 10,000 wallets. Choose one organisation.`}
        note={t`What a Wallet holds is owed to its customer by the organisation. Whichever you open, the organisation’s audit log says that you looked.`}
        order={
          <>
            {!search && (
              <span className="w-56">
                <Select<(typeof sorts)[number]>
                  size="office"
                  label={t`Order`}
                  value={sort}
                  onChange={(next) => narrow({ sort: next })}
                  options={[
                    { value: '-wallet', label: t`Most in the Wallet` },
                    { value: '-debt', label: t`Who owes most` },
                  ]}
                />
              </span>
            )}
            {total !== undefined && (
              <p className="text-caption text-quiet">
                {asked.of
                  ? t`In the Wallets of this organisation: ${amount(total)}`
                  : t`In all Wallets: ${amount(total)}`}
              </p>
            )}
          </>
        }
      >
        <CustomerTable
          rows={list.data?.pages.flatMap((page) => page.data) ?? []}
          owes
          onOpen={setOpened}
          onNarrow={(org) => narrow({ of: org })}
        />
      </ListOfAll>
      <RecordDialog onClose={() => setOpened(undefined)}>{opened && <OneWallet wallet={opened} />}</RecordDialog>
    </>
  );
}

function OneWallet({ wallet }: { wallet: Customer }) {
  const { t } = useLingui();
  const record = useQuery({
    ...query('/api/admin/wallet/detail', { org_id: wallet.org_id, id: wallet.id }),
    staleTime: 60_000,
  });
  return (
    <RecordOfRow
      title={wallet.name || t`No name`}
      of={wallet}
      record={record}
      facts={
        record.data && [
          ['Wallet', amount(record.data.wallet_satang)],
          [t`Owes`, amount(record.data.debt_satang)],
          [t`Topped up in all`, amount(record.data.topped_up_satang)],
          [t`Paid out of it for orders`, amount(record.data.paid_satang)],
          [
            t`Last moved`,
            record.data.moved_at ? dateTime(record.data.moved_at) : t({ message: 'Never', context: 'at no time' }),
          ],
        ]
      }
    />
  );
}
