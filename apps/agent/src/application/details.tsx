import { useLingui } from '@lingui/react/macro';
import { useBankName } from '@wlv/client/bank';
import { date } from '@wlv/ui/format';
import type { Sent } from './application.ts';

/** What the shop has approved, as far as it is shown: last four digits. */
export function Details({ of: known }: { of: Sent }) {
  const { t } = useLingui();
  const bank = useBankName()(known.bank);
  const rows = [
    [t`Name`, known.name],
    [known.kind === 'company' ? t`Tax ID` : t`ID card`, `····${known.identity_digits}`],
    [t`Mobile number`, `····${known.mobile_digits}`],
    [t`Account`, `${bank} ····${known.account_digits}`],
    [t`Account name`, known.account_name],
    ...(known.pays_from ? [[t`Paid to since`, date(known.pays_from)] as const] : []),
  ] as const;
  return (
    <dl className="divide-y">
      {rows.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 py-3 text-row">
          <dt className="shrink-0 text-quiet">{name}</dt>
          <dd className="min-w-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
