import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { Chip } from '@wlv/ui/chip';
import { amount, dateTime } from '@wlv/ui/format';
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { OpenRow, OrganisationOf } from './list-of-all.tsx';

export type Customer = Row<'/api/admin/user/list'>;

/** The head and body of a table of customers and their wallets. */
export function CustomerTable({
  rows,
  owes,
  onOpen,
  onNarrow,
}: {
  rows: Customer[];
  /** Shows what each owes. */
  owes?: boolean;
  onOpen: (row: Customer) => void;
  /** Narrows the list to an organisation. */
  onNarrow: (org: string) => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <TableHead>
        <tr>
          <TableHeader className="pl-[18px]">{t`Customer`}</TableHeader>
          <TableHeader>{t`Organisation`}</TableHeader>
          <TableHeader className="text-right">Wallet</TableHeader>
          {owes && <TableHeader className="text-right max-sm:hidden">{t`Owes`}</TableHeader>}
          <TableHeader className="max-sm:hidden">{t`Changed`}</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={`${row.org_id} ${row.id}`}>
            <TableCell className="pl-[18px]">
              <span className="flex flex-wrap items-center gap-2">
                <OpenRow name={row.name} onClick={() => onOpen(row)} />
                <CustomerStanding status={row.status} />
              </span>
            </TableCell>
            <TableCell>
              <OrganisationOf row={row} onClick={() => onNarrow(row.org_id)} />
            </TableCell>
            <TableCell className="text-right">{amount(row.wallet_satang)}</TableCell>
            {owes && <TableCell className="text-right max-sm:hidden">{amount(row.debt_satang)}</TableCell>}
            <TableCell className="max-sm:hidden">{dateTime(row.changed_at)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </>
  );
}

/** Whether a customer is not served; nothing of who is. */
export function CustomerStanding({ status }: { status: number }) {
  const { t } = useLingui();
  return status === 5 ? null : <Chip tone="bad">{t`Suspended`}</Chip>;
}
