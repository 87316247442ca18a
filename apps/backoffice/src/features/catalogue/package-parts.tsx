import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { FormError } from '@wlv/ui/field';
import { Stepper } from '@wlv/ui/stepper';
import { Banknote, History, Pencil, Plus, Ticket } from 'lucide-react';
import { useController, useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { FormSection, useFieldSentence } from '../../form/fields.tsx';
import { recordQuery } from '../../resource/calls.ts';
import { useLookup } from '../../resource/lookup.ts';
import type { RecordOf } from '../../resource/resource.ts';
import { NewVoucherType } from './new-voucher-type.tsx';
import { freshPart, type PackagePart, type PackageValues } from './package.ts';
import { useUsage } from './usage-rules.tsx';

const idOf = (part: PackagePart) => part.voucher_type_id ?? part.gift_voucher_id ?? '';

/** The parts of the package, each with its quantity: voucher types that are described here first, and voucher types and gift vouchers that exist. */
export function PackageParts({ id }: { id: string | undefined }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { control } = useFormContext<PackageValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'parts', keyName: 'key' });
  const sentence = useFieldSentence();
  const fault = useFormState({ control, name: 'parts' }).errors.parts?.message;
  const error = fault && sentence('parts', t`What the customer receives`, fault);
  const adds = can('vouchertype', 'i');

  return (
    <FormSection title={t`What the customer receives`}>
      {fields.map((part, i) =>
        part.new_voucher_type ? (
          <NewVoucherType
            key={part.key}
            at={i}
            alone={fields.length === 1}
            {...(fields.length > 1 ? { onRemove: () => remove(i) } : {})}
          />
        ) : (
          <ChosenPart key={part.key} at={i} part={part} onRemove={() => remove(i)} />
        ),
      )}
      <div className="flex flex-wrap items-center gap-2.5">
        {adds && (
          <Button
            id={id}
            variant="outline"
            size="row"
            aria-invalid={error ? true : undefined}
            onClick={() => append(freshPart(), { shouldFocus: false })}
          >
            <Plus aria-hidden />
            {fields.length ? t`Add another thing` : t`Add what the customer receives`}
          </Button>
        )}
        <ChooseExisting used={fields.map(idOf)} onChoose={(part) => append(part, { shouldFocus: false })} />
      </div>
      {error && <FormError>{error}</FormError>}
    </FormSection>
  );
}

/** The voucher types and gift vouchers that are there already; nothing while there is none. */
function ChooseExisting({ used, onChoose }: { used: string[]; onChoose: (part: PackagePart) => void }) {
  const { t } = useLingui();
  const types = useLookup('vouchertype');
  const gifts = useLookup('giftvoucher');
  const open = ({ value }: { value: string }) => !used.includes(value);
  const asked = types.asked.isError ? types.asked : gifts.asked;
  const choices = [
    ...types.choices.filter(open).map((choice) => ({ ...choice, gift: false })),
    ...gifts.choices.filter(open).map((choice) => ({ ...choice, gift: true })),
  ];
  if (!choices.length) return <RetryOptions of={asked} />;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="row">
          <History aria-hidden />
          {t`Choose one that you have`}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-h-80 overflow-y-auto">
        {choices.map(({ value, label, gift }) => (
          <DropdownMenuItem
            key={value}
            onSelect={() =>
              onChoose({
                voucher_type_id: gift ? null : value,
                gift_voucher_id: gift ? value : null,
                quantity: 1,
              })
            }
          >
            {gift ? <Banknote aria-hidden /> : <Ticket aria-hidden />}
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** A part that names an existing voucher type or gift voucher, with what it says of its use. */
function ChosenPart({ at, part, onRemove }: { at: number; part: PackagePart; onRemove: () => void }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const table = part.voucher_type_id ? 'vouchertype' : 'giftvoucher';
  const { label } = useLookup(table, [idOf(part)]);
  const { field: quantity } = useController<PackageValues, `parts.${number}.quantity`>({
    name: `parts.${at}.quantity`,
  });
  const record = useQuery({ ...recordQuery(table, idOf(part)), staleTime: 60_000, retry: false });
  const usage = useUsage();
  const name = label(idOf(part)) ?? t`No longer active`;
  const Icon = part.voucher_type_id ? Ticket : Banknote;
  return (
    <div className="flex items-center gap-3 rounded-touch px-3.5 py-2.5 shadow-[inset_0_0_0_1px_var(--line)]">
      <Icon aria-hidden className="size-[18px] shrink-0 text-quiet" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium">{name}</span>
          {can(table, 'u') && (
            <Link
              to={`/owner/${table}list/${idOf(part)}` as string}
              className="grid size-9 shrink-0 place-items-center rounded-small text-quiet hover:bg-foreground/5"
              aria-label={t`Edit ${name}`}
            >
              <Pencil aria-hidden className="size-4" />
            </Link>
          )}
        </span>
        <span className="block text-caption text-quiet">
          {record.data ? usage(record.data as RecordOf<'vouchertype'>) : t`Loading…`}
        </span>
      </span>
      <Stepper name={name} value={quantity.value} onChange={quantity.onChange} onRemove={onRemove} />
    </div>
  );
}
