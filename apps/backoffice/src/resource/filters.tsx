import { useLingui } from '@lingui/react/macro';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { Field } from '@wlv/ui/field';
import { amount, date } from '@wlv/ui/format';
import { MoneyInput } from '@wlv/ui/money-input';
import { Popover, PopoverContent, PopoverTrigger } from '@wlv/ui/popover';
import { Select } from '@wlv/ui/select';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import type { Listing } from './listing.ts';
import { useLookup } from './lookup.ts';
import { useOptions } from './names.ts';
import { QuickDays } from './quick-days.tsx';
import type { AnyResource, AnyRow, Filter } from './resource.ts';

/** What the list is narrowed by, each with a way out of it; and a way to narrow it further. */
export function Filters({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t, i18n } = useLingui();
  const [adding, setAdding] = useState<string>();
  const filters: Filter<AnyRow>[] = resource.filters ?? [];
  const shown = filters.filter(({ name }) => listing.params[name] || adding === name);
  const rest = filters.filter((filter) => !shown.includes(filter));
  return (
    <>
      {shown.map((filter) => (
        <ActiveFilter
          key={filter.name}
          filter={filter}
          listing={listing}
          startsOpen={adding === filter.name}
          onClosed={() => setAdding(undefined)}
        />
      ))}
      {rest.length > 0 && (
        <DropdownMenu>
          <DropdownMenuTrigger className="inline-flex h-9 items-center justify-center gap-2 rounded-small border border-dashed border-input px-3 font-medium text-muted-foreground hover:bg-muted max-sm:-order-1 max-sm:size-11 max-sm:px-0">
            <ListFilter aria-hidden className="size-4 max-sm:size-5" />
            <span className="max-sm:sr-only">{t`Add a filter`}</span>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start">
            {rest.map(({ name, title }) => (
              // The menu gives its focus back first; then the filter's own form opens.
              <DropdownMenuItem key={name} onSelect={() => setTimeout(() => setAdding(name))}>
                {i18n._(title)}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </>
  );
}

function ActiveFilter({
  filter,
  listing,
  startsOpen,
  onClosed,
}: {
  filter: Filter<AnyRow>;
  listing: Listing;
  startsOpen: boolean;
  onClosed: () => void;
}) {
  const { t, i18n } = useLingui();
  const [open, setOpen] = useState(startsOpen);
  const value = listing.params[filter.name];
  const title = i18n._(filter.title);
  const change = (next: string | undefined) => listing.narrow({ [filter.name]: next });
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) onClosed();
      }}
    >
      <span className="inline-flex h-9 shrink-0 items-center rounded-small bg-accent font-medium text-accent-foreground">
        <PopoverTrigger className="h-full rounded-small pl-3 pr-1.5">
          {title}
          {value && (
            <>
              {': '}
              <FilterValue filter={filter} value={value} />
            </>
          )}
        </PopoverTrigger>
        <button
          type="button"
          aria-label={t`Take away: ${title}`}
          className="grid size-8 place-items-center rounded-small"
          onClick={() => {
            change(undefined);
            onClosed();
          }}
        >
          <X aria-hidden className="size-[15px]" strokeWidth={2} />
        </button>
      </span>
      <PopoverContent>
        <FilterForm filter={filter} value={value ?? ''} onChange={change} />
        <Button size="row" className="mt-4 w-full" onClick={() => setOpen(false)}>{t`Done`}</Button>
      </PopoverContent>
    </Popover>
  );
}

function FilterValue({ filter, value }: { filter: Filter<AnyRow>; value: string }) {
  const { t, i18n } = useLingui();
  if (filter.kind === 'lookup') return <LookupValue filter={filter} value={value} />;
  if (filter.kind === 'option') return <OptionValue filter={filter} value={value} />;
  if (filter.kind === 'yes') return value === 'true' ? t`Yes` : t`No`;
  if (filter.kind === 'choice') {
    const chosen = filter.choices.filter((choice) => value.split(',').includes(choice.value));
    return chosen.map(({ title }) => i18n._(title)).join(', ');
  }
  // An address may hold anything.
  const write = (text: string) => {
    if (filter.kind === 'money') return amount(Number(text));
    return isDay(text) ? date(text) : text;
  };
  const [from, to] = value.split('..');
  if (from && to) return `${write(from)} – ${write(to)}`;
  if (from) return t`from ${write(from)}`;
  return to ? t`up to ${write(to)}` : '';
}

function LookupValue({ filter, value }: { filter: Filter<AnyRow> & { kind: 'lookup' }; value: string }) {
  return useLookup(filter.table).label(value) ?? '…';
}

function OptionValue({ filter, value }: { filter: Filter<AnyRow> & { kind: 'option' }; value: string }) {
  const { label } = useOptions(filter.list);
  return value
    .split(',')
    .map((number) => label(Number(number)))
    .join(', ');
}

interface FormProps<F> {
  filter: F;
  value: string;
  onChange: (value: string | undefined) => void;
}

function FilterForm({ filter, value, onChange }: FormProps<Filter<AnyRow>>) {
  if (filter.kind === 'choice') return <ChoiceForm filter={filter} value={value} onChange={onChange} />;
  if (filter.kind === 'option') return <OptionForm filter={filter} value={value} onChange={onChange} />;
  if (filter.kind === 'yes') return <YesForm filter={filter} value={value} onChange={onChange} />;
  if (filter.kind === 'lookup') return <LookupForm filter={filter} value={value} onChange={onChange} />;
  return <RangeForm filter={filter} value={value} onChange={onChange} />;
}

function ChoiceForm({ filter, value, onChange }: FormProps<Filter<AnyRow> & { kind: 'choice' }>) {
  const { i18n } = useLingui();
  const choices = filter.choices.map((choice) => ({ value: choice.value, label: i18n._(choice.title) }));
  return <Ticks choices={choices} value={value} onChange={onChange} />;
}

function OptionForm({ filter, value, onChange }: FormProps<Filter<AnyRow> & { kind: 'option' }>) {
  return <Ticks choices={useOptions(filter.list).choices} value={value} onChange={onChange} />;
}

/** Any of a few, each with a box to tick. */
function Ticks({
  choices,
  value,
  onChange,
}: Omit<FormProps<never>, 'filter'> & { choices: { value: string; label: string }[] }) {
  const chosen = value ? value.split(',') : [];
  return (
    <div className="grid gap-3">
      {choices.map((choice) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name
        <label key={choice.value} className="flex items-center gap-3">
          <Checkbox
            size="office"
            checked={chosen.includes(choice.value)}
            onCheckedChange={(on) =>
              onChange(
                (on ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value)).join(',') || undefined,
              )
            }
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

function YesForm({ filter, value, onChange }: FormProps<Filter<AnyRow>>) {
  const { t, i18n } = useLingui();
  return (
    <Field label={i18n._(filter.title)}>
      <Select
        size="office"
        value={value || undefined}
        onChange={onChange}
        options={[
          { value: 'true', label: t`Yes` },
          { value: 'false', label: t`No` },
        ]}
      />
    </Field>
  );
}

function LookupForm({ filter, value, onChange }: FormProps<Filter<AnyRow> & { kind: 'lookup' }>) {
  const { t, i18n } = useLingui();
  const { choices, asked } = useLookup(filter.table);
  return (
    <Field label={i18n._(filter.title)}>
      <Select size="office" placeholder={t`Choose`} value={value || undefined} onChange={onChange} options={choices} />
      <RetryOptions of={asked} />
    </Field>
  );
}

function RangeForm({ filter, value, onChange }: FormProps<Filter<AnyRow>>) {
  const { t } = useLingui();
  const [from = '', to = ''] = value.split('..');
  const put = (nextFrom: string, nextTo: string) => onChange(nextFrom || nextTo ? `${nextFrom}..${nextTo}` : undefined);
  if (filter.kind === 'money') {
    const satang = (text: string) => (text ? Number(text) : null);
    const write = (next: number | null) => (next !== null && Number.isSafeInteger(next) ? String(next) : '');
    return (
      <div className="grid gap-3">
        <Field label={t`From`}>
          <MoneyInput size="office" value={satang(from)} onChange={(next) => put(write(next), to)} />
        </Field>
        <Field label={t`To`}>
          <MoneyInput size="office" value={satang(to)} onChange={(next) => put(from, write(next))} />
        </Field>
      </div>
    );
  }
  // What is typed so far is no day yet.
  const whole = (next: string | null) => next === null || isDay(next);
  return (
    <div className="grid gap-3">
      <QuickDays of={'coming' in filter ? 'coming' : 'past'} from={from} to={to} onChange={put} />
      <Field label={t`From`}>
        <DateInput size="office" value={from || null} onChange={(next) => whole(next) && put(next ?? '', to)} />
      </Field>
      <Field label={t`To`}>
        <DateInput size="office" value={to || null} onChange={(next) => whole(next) && put(from, next ?? '')} />
      </Field>
    </div>
  );
}
