import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, pages, query, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { amount, count, date, dateTime } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { useDeferredValue, useState } from 'react';
import { LeftShort, voucherStates } from '../../resource/status-labels.tsx';
import { ListOfAll, OpenRow, OrganisationOf, RecordDialog, RecordOfRow, useNarrowed } from './list-of-all.tsx';

type Voucher = Row<'/api/admin/voucher/list'>;

/** Vouchers of all organisations; one opens as its organisation has it now. */
export function VouchersPage() {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { asked, narrow } = useNarrowed<{ of: string; state: string; by: string }>();
  const state = (Object.keys(voucherStates) as Voucher['state'][]).find((one) => one === asked.state);
  const ending = asked.by === 'ending';
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Voucher>();
  const search = useDeferredValue(typed.trim());
  const filter = {
    ...(asked.of ? { org_id: asked.of } : {}),
    ...(search ? { search } : {}),
    ...(ending && !search ? { by: 'ending' as const } : {}),
    ...(state && !ending && !search ? { state } : {}),
  };
  const list = useInfiniteQuery({
    ...pages('/api/admin/voucher/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  const counts = list.data?.pages[0]?.counts;
  return (
    <>
      <ListOfAll
        title={t`Vouchers of all organisations`}
        sums={counts && <Counts of={counts} />}
        searchLabel={t`How the code begins`}
        search={typed}
        onSearch={setTyped}
        onWiden={asked.of ? () => narrow({ of: '' }) : undefined}
        list={list}
        makeFile={() => call('/api/admin/voucher/file', filter)}
        cutNote={t`The file has the first 10,000 vouchers. Choose one organisation or one state.`}
        note={t`Nobody can use a voucher with the code that is shown here. Whichever you open, the organisation’s audit log says that you looked.`}
        order={
          !search && (
            <>
              <span className="w-56">
                <Select<'issued' | 'ending'>
                  size="office"
                  label={t`Order`}
                  value={ending ? 'ending' : 'issued'}
                  onChange={(next) => narrow({ by: next === 'ending' ? next : '', state: '' })}
                  options={[
                    { value: 'issued', label: t`Newest first` },
                    { value: 'ending', label: t`Ending soonest` },
                  ]}
                />
              </span>
              {!ending && (
                <span className="w-56">
                  <Select<Voucher['state'] | 'all'>
                    size="office"
                    label={t`State`}
                    value={state ?? 'all'}
                    onChange={(next) => narrow({ state: next === 'all' ? '' : next })}
                    options={[
                      { value: 'all', label: t`All states` },
                      ...Object.entries(voucherStates).map(([one, { title }]) => ({
                        value: one as Voucher['state'],
                        label: i18n._(title),
                      })),
                    ]}
                  />
                </span>
              )}
            </>
          )
        }
      >
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Voucher`}</TableHeader>
            <TableHeader>{t`Organisation`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Holder`}</TableHeader>
            <TableHeader className="text-right max-sm:hidden">{t`Left`}</TableHeader>
            <TableHeader>{t`Valid until`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`State`}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {list.data?.pages
            .flatMap((page) => page.data)
            .map((row) => (
              <TableRow key={`${row.org_id} ${row.id}`}>
                <TableCell className="py-2 pl-[18px]">
                  <OpenRow name={row.code} onClick={() => setOpened(row)} />
                  <span className="block text-caption text-quiet">{text(row, 'name')}</span>
                  <span className="mt-1 block sm:hidden">
                    <Standing state={row.state} />
                  </span>
                </TableCell>
                <TableCell>
                  <OrganisationOf row={row} onClick={() => narrow({ of: row.org_id })} />
                </TableCell>
                <TableCell className="max-sm:hidden">{row.holder_name || '–'}</TableCell>
                <TableCell className="text-right max-sm:hidden">
                  <LeftShort row={row} />
                </TableCell>
                <TableCell>{date(row.valid_until)}</TableCell>
                <TableCell className="max-sm:hidden">
                  <Standing state={row.state} />
                </TableCell>
              </TableRow>
            ))}
        </TableBody>
      </ListOfAll>
      <RecordDialog onClose={() => setOpened(undefined)}>{opened && <OneVoucher voucher={opened} />}</RecordDialog>
    </>
  );
}

function Standing({ state }: { state: string }) {
  const { i18n } = useLingui();
  const look = voucherStates[state];
  return look && <Chip tone={look.tone}>{i18n._(look.title)}</Chip>;
}

/** How many vouchers there are in all, and in which states. */
function Counts({ of }: { of: Record<'ready' | 'moving' | 'frozen' | 'used' | 'expired' | 'back', number> }) {
  const { t } = useLingui();
  const parts = [
    [t`Ready`, of.ready, 'bg-primary'],
    [t`For sale or being given`, of.moving, 'bg-info'],
    [t`Frozen`, of.frozen, 'bg-warn'],
    [t`Used`, of.used, 'bg-ok'],
    [t`Expired`, of.expired, 'bg-quiet'],
    [t`Refunded or void`, of.back, 'bg-bad'],
  ] as const;
  const total = parts.reduce((sum, [, n]) => sum + n, 0);
  return (
    <Card office className="mb-4 p-[18px]">
      <p>
        <span className="text-h2-office font-semibold">{count(total)}</span>{' '}
        <span className="text-caption text-quiet">{t`vouchers were ever issued`}</span>
      </p>
      <div aria-hidden className="my-3 flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-muted">
        {parts.map(
          ([name, n, colour]) => n > 0 && <span key={name} className={colour} style={{ flexGrow: n, minWidth: 3 }} />,
        )}
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-caption">
        {parts.map(([name, n, colour]) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden className={`size-2.5 rounded-sm ${colour}`} />
            {name} <span className="font-semibold">{count(n)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OneVoucher({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  const text = useTexts();
  const record = useQuery({
    ...query('/api/admin/voucher/detail', { org_id: voucher.org_id, id: voucher.id }),
    staleTime: 60_000,
  });
  return (
    <RecordOfRow
      title={voucher.code}
      of={voucher}
      record={record}
      facts={
        record.data && [
          [t`Voucher`, text(voucher, 'name')],
          [t`Code`, record.data.code],
          [t`State`, <Standing key="state" state={record.data.state} />],
          [t`Holder`, record.data.holder_name || '–'],
          [t`Order number`, record.data.order_number],
          [t`Left`, <LeftShort key="left" row={{ kind: voucher.kind, ...record.data }} />],
          [t`Shop's share`, amount(record.data.share_satang)],
          [t`Valid until`, date(record.data.valid_until)],
          [t`Times used`, count(record.data.uses)],
          [
            t`Last used`,
            record.data.used_at ? dateTime(record.data.used_at) : t({ message: 'Never', context: 'at no time' }),
          ],
        ]
      }
    />
  );
}
