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

type Item = NonNullable<ValuesOf<'salepackage'>['items']>[number];

const idOf = (item: Item) => item.voucher_type_id ?? item.gift_voucher_id ?? '';

/** What the customer receives: voucher types and gift vouchers, each with how many of it. */
export function PackageItems() {
  const { t } = useLingui();
  const { value, onChange, error } = useFormField<Item[]>('items');
  const types = useLookup('vouchertype');
  const gifts = useLookup('giftvoucher');
  const items = value ?? [];
  const used = items.map(idOf);
  const put = (next: Item, at: number) => onChange(items.map((item, i) => (i === at ? next : item)));
  const add = (item: Omit<Item, 'quantity'>) => onChange([...items, { ...item, quantity: 1 }]);

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
      {items.length > 0 && (
        <ul className="divide-y rounded-touch shadow-[inset_0_0_0_1px_var(--line)]">
          {items.map((item, i) => {
            const name = types.label(idOf(item)) ?? gifts.label(idOf(item)) ?? t`No longer active`;
            return (
              <li key={idOf(item)} className="flex items-center gap-3 px-3.5 py-2.5">
                {item.voucher_type_id ? (
                  <Ticket aria-hidden className="size-[18px] shrink-0 text-quiet" />
                ) : (
                  <Banknote aria-hidden className="size-[18px] shrink-0 text-quiet" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block text-caption text-quiet">
                    {item.voucher_type_id ? t`Voucher` : t`Gift voucher`}
                  </span>
                </span>
                <Stepper
                  name={name}
                  value={item.quantity}
                  onChange={(quantity) => put({ ...item, quantity }, i)}
                  onRemove={() => onChange(items.filter((_, at) => at !== i))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <RetryOptions of={types.asked.isError ? types.asked : gifts.asked} />
      {!items.length && !error && <p className="text-quiet">{t`Nothing yet. Add at least one.`}</p>}
      {error && <FormError>{error}</FormError>}
    </FormSection>
  );
}
