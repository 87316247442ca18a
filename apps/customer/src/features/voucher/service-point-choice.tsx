import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { FormError } from '@wlv/ui/field';
import { useId } from 'react';
import type { VoucherDetail } from './voucher.ts';

/** At which place; its staff alone can confirm the use. */
export function ServicePointChoice({
  places,
  value,
  onChange,
  missing,
}: {
  places: VoucherDetail['where'];
  value: string | undefined;
  onChange: (id: string) => void;
  missing: boolean;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-2 px-1 text-row font-semibold">{t`Where are you?`}</legend>
      <Card className="divide-y px-4">
        {places.map((place) => (
          <label key={place.id} className="flex min-h-16 items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block text-row font-medium">{text(place, 'name')}</span>
              <span className="block text-caption text-quiet">{text(place, 'address')}</span>
              <span className="block text-caption text-quiet">{text(place, 'hours')}</span>
            </span>
            <input
              type="radio"
              name={name}
              value={place.id}
              checked={place.id === value}
              onChange={() => onChange(place.id)}
              className="size-5 accent-(--brand)"
            />
          </label>
        ))}
      </Card>
      {missing && <FormError className="mt-2">{t`Choose the place where you are.`}</FormError>}
    </fieldset>
  );
}
