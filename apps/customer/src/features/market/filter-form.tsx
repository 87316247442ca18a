import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { FilterPill } from '@wlv/ui/filter-pill';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { useState } from 'react';
import { useArea } from '../../area.tsx';
import { type MarketSearch, type Sort, sorts } from './listing.ts';

/** Sort, price and place, chosen together and shown at once when the sheet closes. */
export default function FilterForm({ search, onDone }: { search: MarketSearch; onDone: () => void }) {
  return (
    <Dialog defaultOpen onOpenChange={(open) => !open && onDone()}>
      <FilterContent search={search} onDone={onDone} />
    </Dialog>
  );
}

function FilterContent({ search, onDone }: { search: MarketSearch; onDone: () => void }) {
  const { t } = useLingui();
  const { go } = useArea();
  const [draft, setDraft] = useState(search);
  const change = (part: Partial<MarketSearch>) => setDraft((now) => ({ ...now, ...part }));
  const wrong = Boolean(draft.min && draft.max && Number(draft.min) > Number(draft.max));

  const apply = (next: MarketSearch) => {
    void go('market', { ...next }, { replace: true });
    onDone();
  };

  return (
    <DialogContent
      shape="sheet"
      title={t`Filters`}
      foot={
        <div className="flex gap-2.5">
          <Button
            variant="outline"
            className="flex-1"
            onClick={() => apply({ ...(search.q ? { q: search.q } : {}), ...(search.tag ? { tag: search.tag } : {}) })}
          >{t`Clear`}</Button>
          <Button className="flex-[1.6]" disabled={wrong} onClick={() => apply(draft)}>{t`Show packages`}</Button>
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <SortChoice value={draft.sort} onChange={(sort) => change({ sort })} />
        <div className="grid grid-cols-2 gap-3">
          <PriceField label={t`Price from`} value={draft.min} onChange={(min) => change({ min })} />
          <PriceField
            label={t`to`}
            value={draft.max}
            onChange={(max) => change({ max })}
            error={wrong ? t`Enter a price above the first one.` : undefined}
          />
        </div>
        <ServicePointChoice value={draft.place} onChange={(place) => change({ place })} />
      </div>
    </DialogContent>
  );
}

function SortChoice({ value, onChange }: { value: Sort | undefined; onChange: (value: Sort) => void }) {
  const { t } = useLingui();
  const names: Record<Sort, string> = {
    '-sold': t`Best selling`,
    '-created': t`Newest`,
    price_satang: t`Price, low to high`,
    '-price_satang': t`Price, high to low`,
  };
  return (
    <div role="group" aria-label={t`Sort by`} className="grid grid-cols-1 gap-2">
      <p className="text-sm font-medium">{t`Sort by`}</p>
      <div className="flex flex-wrap gap-2">
        {sorts.map((sort) => (
          <FilterPill key={sort} on={(value ?? '-sold') === sort} onClick={() => onChange(sort)}>
            {names[sort]}
          </FilterPill>
        ))}
      </div>
    </div>
  );
}

function PriceField({
  label,
  value,
  onChange,
  error,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error?: string | undefined;
}) {
  return (
    <Field label={label} error={error}>
      <Input
        inputMode="numeric"
        before={<span className="text-quiet">฿</span>}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '') || undefined)}
      />
    </Field>
  );
}

const anywhere = 'anywhere';

function ServicePointChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const places = useQuery({ ...query('/api/user/get/service_point', {}), staleTime: 600_000 });
  const options = places.data?.data.map((place) => ({ value: place.id, label: text(place, 'name') })) ?? [];
  return (
    <Field label={t`Where to use it`}>
      <Select
        value={value ?? anywhere}
        onChange={(place) => onChange(place === anywhere ? undefined : place)}
        options={[{ value: anywhere, label: t`Any place` }, ...options]}
      />
      <RetryOptions of={places} />
    </Field>
  );
}
