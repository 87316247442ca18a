import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, pages, query, type Row } from '@wlv/client/call';
import { Chip } from '@wlv/ui/chip';
import { amount, dateTime } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { useDeferredValue, useState } from 'react';
import { paymentMethods, paymentPurposes, paymentStates } from '../../record/payment-words.ts';
import { ListOfAll, OpenRow, OrganisationOf, RecordDialog, RecordOfRow, useNarrowed } from './list-of-all.tsx';

type Deposit = Row<'/api/admin/deposit/list'>;
const states = ['created', 'awaiting', 'captured', 'expired', 'failed'] as const;

/** Payments through gateways, of all organisations; one opens as its organisation has it now. */
export function DepositsPage() {
  const { t, i18n } = useLingui();
  const { asked, narrow } = useNarrowed<{ of: string; state: string }>();
  const state = states.find((one) => one === asked.state);
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Deposit>();
  const search = useDeferredValue(typed.trim());
  const filter = {
    ...(asked.of ? { org_id: asked.of } : {}),
    ...(search ? { search } : {}),
    ...(state && !search ? { state } : {}),
  };
  const list = useInfiniteQuery({
    ...pages('/api/admin/deposit/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ListOfAll
        title={t`Payments of all organisations`}
        searchLabel={t`How the reference begins`}
        search={typed}
        onSearch={setTyped}
        onWiden={asked.of ? () => narrow({ of: '' }) : undefined}
        list={list}
        makeFile={() => call('/api/admin/deposit/file', filter)}
        cutNote={t`The file has the first 10,000 payments. Choose one organisation or one state.`}
        note={t`A payment is shown as far as it was paid. What was sent back or is disputed is in its record. Whichever you open, the organisation’s audit log says that you looked.`}
        order={
          !search && (
            <span className="w-56">
              <Select<(typeof states)[number] | 'all'>
                size="office"
                label={t`State`}
                value={state ?? 'all'}
                onChange={(next) => narrow({ state: next === 'all' ? '' : next })}
                options={[
                  { value: 'all', label: t`All states` },
                  ...states.map((one) => ({ value: one, label: i18n._(paymentStates[one].title) })),
                ]}
              />
            </span>
          )
        }
      >
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Reference`}</TableHeader>
            <TableHeader>{t`Organisation`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Customer`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t({ message: 'For', context: 'what is paid' })}</TableHeader>
            <TableHeader className="text-right">{t`Amount`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Started`}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {list.data?.pages
            .flatMap((page) => page.data)
            .map((row) => (
              <TableRow key={`${row.org_id} ${row.id}`}>
                <TableCell className="py-2 pl-[18px]">
                  <span className="flex flex-wrap items-center gap-2">
                    <OpenRow name={row.reference} onClick={() => setOpened(row)} />
                    <Standing of={row} />
                  </span>
                </TableCell>
                <TableCell>
                  <OrganisationOf row={row} onClick={() => narrow({ of: row.org_id })} />
                </TableCell>
                <TableCell className="max-sm:hidden">{row.customer_name || '–'}</TableCell>
                <TableCell className="max-sm:hidden">
                  {i18n._(paymentPurposes[row.purpose].title)}
                  <span className="block text-caption text-quiet">{i18n._(paymentMethods[row.method].title)}</span>
                </TableCell>
                <TableCell className="text-right">{amount(row.amount_satang)}</TableCell>
                <TableCell className="max-sm:hidden">{dateTime(row.created_at)}</TableCell>
              </TableRow>
            ))}
        </TableBody>
      </ListOfAll>
      <RecordDialog onClose={() => setOpened(undefined)}>{opened && <OneDeposit deposit={opened} />}</RecordDialog>
    </>
  );
}

function Standing({ of: { state, test } }: { of: Pick<Deposit, 'state' | 'test'> }) {
  const { t, i18n } = useLingui();
  const { title, tone } = paymentStates[state];
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Chip tone={tone}>{i18n._(title)}</Chip>
      {test && <Chip tone="info">{t`Test mode`}</Chip>}
    </span>
  );
}

function OneDeposit({ deposit }: { deposit: Deposit }) {
  const { t, i18n } = useLingui();
  const record = useQuery({
    ...query('/api/admin/deposit/detail', { org_id: deposit.org_id, id: deposit.id }),
    staleTime: 60_000,
  });
  const disputes = {
    '': t`None`,
    open: t`The bank asks it back`,
    won: t`Stays with the organisation`,
    lost: t`Taken back by the bank`,
  };
  return (
    <RecordOfRow
      title={deposit.reference}
      of={deposit}
      record={record}
      facts={
        record.data && [
          [t`State`, <Standing key="state" of={{ state: record.data.state, test: deposit.test }} />],
          [t`Customer`, deposit.customer_name || '–'],
          [t({ message: 'For', context: 'what is paid' }), i18n._(paymentPurposes[deposit.purpose].title)],
          [t`Gateway`, deposit.own_gateway ? t`The organisation’s own` : t`The platform’s`],
          [t`Gateway’s number`, record.data.gateway_id || '–'],
          [t`Amount`, amount(record.data.amount_satang)],
          [t`Received`, amount(record.data.captured_satang)],
          [t`Gateway’s fee`, amount(record.data.fee_satang)],
          [t`Sent back`, amount(record.data.refunded_satang)],
          [t`Dispute`, disputes[record.data.dispute]],
          [t`Held back by the bank`, amount(record.data.disputed_satang)],
          [t`Not covered yet`, amount(record.data.owed_satang)],
        ]
      }
    />
  );
}
