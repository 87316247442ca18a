import { useLingui } from '@lingui/react/macro';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { FormError } from '@wlv/ui/field';
import { Stepper } from '@wlv/ui/stepper';
import { Banknote, Plus, Ticket } from 'lucide-react';
import { FormSection, useFormField } from '../../form/fields.tsx';
import { useLookup } from '../../resource/lookup.ts';
import type { ValuesOf } from '../../resource/resource.ts';

type Part = NonNullable<ValuesOf<'salepackage'>['parts']>[number];

const idOf = (part: Part) => part.voucher_type_id ?? part.gift_voucher_id ?? '';

/** What the customer receives: voucher types and gift vouchers, each with how many of it. */
export function PackageParts() {
  const { t } = useLingui();
  const { value, onChange, error } = useFormField<Part[]>('parts', t`What the customer receives`);
  const types = useLookup('vouchertype');
  const gifts = useLookup('giftvoucher');
  const parts = value ?? [];
  const used = parts.map(idOf);
  const put = (next: Part, at: number) => onChange(parts.map((part, i) => (i === at ? next : part)));
  const add = (part: Omit<Part, 'quantity'>) => onChange([...parts, { ...part, quantity: 1 }]);

  return (
    <FormSection
      title={t`What the customer receives`}
      action={
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="outline" size="row">
              <Plus aria-hidden />
              {t`Add an item`}
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent className="max-h-80 overflow-y-auto">
            {types.choices
              .filter((choice) => !used.includes(choice.value))
              .map((choice) => (
                <DropdownMenuItem
                  key={choice.value}
                  onSelect={() => add({ voucher_type_id: choice.value, gift_voucher_id: null })}
                >
                  <Ticket aria-hidden />
                  {choice.label}
                </DropdownMenuItem>
              ))}
            {gifts.choices
              .filter((choice) => !used.includes(choice.value))
              .map((choice) => (
                <DropdownMenuItem
                  key={choice.value}
                  onSelect={() => add({ voucher_type_id: null, gift_voucher_id: choice.value })}
                >
                  <Banknote aria-hidden />
                  {choice.label}
                </DropdownMenuItem>
              ))}
          </DropdownMenuContent>
        </DropdownMenu>
      }
    >
      {parts.length > 0 && (
        <ul className="divide-y rounded-touch shadow-[inset_0_0_0_1px_var(--line)]">
          {parts.map((part, i) => {
            const name = types.label(idOf(part)) ?? gifts.label(idOf(part)) ?? t`No longer active`;
            return (
              <li key={idOf(part)} className="flex parts-center gap-3 px-3.5 py-2.5">
                {part.voucher_type_id ? (
                  <Ticket aria-hidden className="size-[18px] shrink-0 text-quiet" />
                ) : (
                  <Banknote aria-hidden className="size-[18px] shrink-0 text-quiet" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block text-caption text-quiet">
                    {part.voucher_type_id ? t`Voucher` : t`Gift voucher`}
                  </span>
                </span>
                <Stepper
                  name={name}
                  value={part.quantity}
                  onChange={(quantity) => put({ ...part, quantity }, i)}
                  onRemove={() => onChange(parts.filter((_, at) => at !== i))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <RetryOptions of={types.asked.isError ? types.asked : gifts.asked} />
      {!parts.length && !error && <p className="text-quiet">{t`Nothing yet. Add at least one.`}</p>}
      {error && <FormError>{error}</FormError>}
    </FormSection>
  );
}
