import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useState } from 'react';
import { RateText } from '../../record/rate-text.tsx';
import { useLookup } from '../../resource/lookup.ts';
import { TrialCart, type TriedLines } from '../../trial/trial-cart.tsx';
import { TrialSums } from '../../trial/trial-sums.tsx';

type Asked = Body<'/api/owner/commissionrate/try'>;

/** A sale by an agent of a type, split to the satang, with the rates as a form has them. */
export function RateTester({
  agentType,
  with: rates,
}: {
  agentType: string | undefined;
  with: Pick<Asked, 'rate' | 'base_rate_basis_points' | 'base_recruiter_basis_points' | 'day'>;
}) {
  const { t } = useLingui();
  const packages = useLookup('salepackage');
  const [lines, setLines] = useState<TriedLines[]>();
  const first = rates.rate?.package_id ?? packages.choices[0]?.value;
  const cart = lines ?? (first ? [{ package_id: first, quantity: 1 }] : []);
  const trial = useQuery({
    ...query('/api/owner/commissionrate/try', {
      ...rates,
      lines: cart,
      codes: [],
      first: false,
      used_each: 0,
      channel: 3,
      recruited: true,
      agent_type_id: agentType ?? null,
    }),
    enabled: cart.length > 0 && !!agentType,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label={t`Try a sale`} className="grid grid-cols-1 gap-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-base font-semibold">{t`Try a sale`}</h3>
        <span className="text-caption text-quiet">{t`With what is not saved yet`}</span>
      </div>
      {!agentType && <p className="text-sm text-muted-foreground">{t`Choose an agent type to try a sale.`}</p>}
      <TrialCart cart={cart} trial={trial.data} onChange={setLines} />
      <FaultNote error={trial.error} />
      {trial.data && (
        <>
          <TrialSums trial={trial.data} />
          <dl className="grid grid-cols-1 gap-2 text-sm">
            {trial.data.lines.map((line) => (
              <div key={line.package_id} className="flex justify-between gap-4">
                <dt className="min-w-0 truncate text-muted-foreground">{packages.label(line.package_id)}</dt>
                <dd className="whitespace-nowrap">
                  {line.special_rate_id ? t`Special rate` : t`Base rate`}{' '}
                  <RateText kind={line.rate_kind} value={line.rate_value} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
