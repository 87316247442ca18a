import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { type FormPath, limitOf } from '@wlv/client/limits';
import { DateInput } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { calendarDay } from '@wlv/ui/format';
import { Input, Textarea } from '@wlv/ui/input';
import { MoneyInput } from '@wlv/ui/money-input';
import { Select } from '@wlv/ui/select';
import { Switch } from '@wlv/ui/switch';
import { clsx } from 'clsx';
import { createContext, type ReactNode, use } from 'react';
import { useController } from 'react-hook-form';

/** Which form's limits the fields below obey. */
export const FormPathContext = createContext<FormPath | null>(null);

function useLimit(name: string) {
  const path = use(FormPathContext);
  return path ? limitOf(path, name) : {};
}

/** What this form says of a fault, by `field:fault`, where our word for the fault does not say what to do. */
export const RefusalsContext = createContext<Record<string, MessageDescriptor>>({});

/** The sentence for what is wrong with a field; an empty one is named. */
export function useFieldSentence() {
  const { t, i18n } = useLingui();
  const refusals = use(RefusalsContext);
  return (name: string, label: ReactNode, fault: string) => {
    const own = refusals[`${name.replace(/\.\d+(?=\.)/g, '.*')}:${fault}`];
    if (own) return i18n._(own);
    return fault === 'field.required' && typeof label === 'string'
      ? t`${label} is missing`
      : faultSentence(i18n, fault as AnyFault);
  };
}

/** One field of the form by its path: its value, and what is wrong with it in the person's language. */
export function useFormField<Value>(name: string, label: ReactNode) {
  const sentence = useFieldSentence();
  const { field, fieldState } = useController({ name });
  const fault = fieldState.error?.message;
  return {
    value: field.value as Value,
    onChange: field.onChange as (value: Value) => void,
    onBlur: field.onBlur,
    ref: field.ref,
    error: fault && sentence(name, label, fault),
  };
}

export interface FieldProps {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  className?: string;
}

export function TextField({
  name,
  label,
  help,
  className,
  before,
  ...input
}: FieldProps & {
  before?: ReactNode;
  type?: 'text' | 'password' | 'tel' | 'email';
  autoComplete?: string;
  placeholder?: string;
  inputMode?: 'text' | 'numeric';
  clean?: (text: string) => string;
}) {
  const { value, onChange, error, ...rest } = useFormField<string>(name, label);
  const { maxLength } = useLimit(name);
  const { clean, ...attributes } = input;
  const length = [...(value ?? '')].length;
  return (
    <Field label={label} help={help} error={error} {...(className ? { className } : {})}>
      <Input
        size="office"
        autoComplete="off"
        {...attributes}
        name={name}
        value={value ?? ''}
        before={before}
        onBlur={rest.onBlur}
        ref={rest.ref}
        onChange={(event) => onChange(clean ? clean(event.target.value) : event.target.value)}
        after={
          maxLength && maxLength >= 60 && length > maxLength / 2 ? (
            <span className={clsx('text-caption', length > maxLength ? 'text-bad-text' : 'text-quiet')}>
              {length}/{maxLength}
            </span>
          ) : undefined
        }
      />
    </Field>
  );
}

/** A text in both languages: Thai first, English below it. */
export function BothLanguages({ name, label, help, long }: FieldProps & { long?: boolean }) {
  const { t } = useLingui();
  const One = long ? LongField : TextField;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <One name={`${name}_th`} label={t`${label} in Thai`} {...(help ? { help } : {})} />
      <One name={`${name}_en`} label={t`${label} in English`} />
    </div>
  );
}

export function LongField({ name, label, help, rows = 5 }: FieldProps & { rows?: number }) {
  const { value, onChange, onBlur, ref, error } = useFormField<string>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <Textarea
        size="office"
        name={name}
        rows={rows}
        ref={ref}
        value={value ?? ''}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

export function MoneyField({ name, label, help, className }: FieldProps) {
  const { error, ...field } = useFormField<number | null>(name, label);
  return (
    <Field label={label} help={help} error={error} {...(className ? { className } : {})}>
      <MoneyInput size="office" name={name} {...field} value={field.value ?? null} />
    </Field>
  );
}

/** A whole number, or nothing where nothing has a meaning of its own (unlimited). */
export function NumberField({
  name,
  label,
  help,
  unit,
  placeholder,
  className,
}: FieldProps & { unit?: ReactNode; placeholder?: string }) {
  const { value, onChange, onBlur, ref, error } = useFormField<number | null>(name, label);
  return (
    <Field label={label} help={help} error={error} {...(className ? { className } : {})}>
      <Input
        size="office"
        name={name}
        inputMode="numeric"
        placeholder={placeholder}
        value={value ?? ''}
        onBlur={onBlur}
        ref={ref}
        onChange={(event) => {
          const digits = event.target.value.replace(/\D/g, '');
          onChange(digits ? Number(digits) : null);
        }}
        after={unit && <span className="shrink-0 text-quiet">{unit}</span>}
      />
    </Field>
  );
}

/** Hundredths of a percent, shown as percent. */
export function PercentField({ name, label, help }: FieldProps) {
  const { value, onChange, onBlur, ref, error } = useFormField<number | null>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <Input
        size="office"
        type="number"
        name={name}
        min={0}
        step={0.01}
        value={value === null || value === undefined ? '' : value / 100}
        onBlur={onBlur}
        ref={ref}
        onChange={(event) => onChange(event.target.value ? Math.round(Number(event.target.value) * 100) : null)}
        after={<span className="text-quiet">%</span>}
      />
    </Field>
  );
}

export function DayField({ name, label, help }: FieldProps) {
  const { error, ...field } = useFormField<string | null>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <DateInput size="office" name={name} {...field} value={field.value ?? null} />
    </Field>
  );
}

/** The first or the last instant of a day in Bangkok, as RFC 3339. */
export function InstantField({ name, label, help, edge }: FieldProps & { edge: 'first' | 'last' }) {
  const { value, onChange, error, ...field } = useFormField<string | null>(name, label);
  const at = value ? new Date(value) : null;
  const day = at && !Number.isNaN(at.getTime()) ? calendarDay(at) : value;
  const clock = edge === 'first' ? '00:00:00' : '23:59:59';
  return (
    <Field label={label} help={help} error={error}>
      <DateInput
        size="office"
        name={name}
        {...field}
        value={day}
        onChange={(next) => onChange(next && /^\d{4}-/.test(next) ? `${next}T${clock}+07:00` : next)}
      />
    </Field>
  );
}

export function ChoiceField<Value extends string>({
  name,
  label,
  help,
  options,
  placeholder,
}: FieldProps & { options: { value: Value; label: ReactNode }[]; placeholder?: string }) {
  const { value, onChange, error } = useFormField<Value | null>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <Select
        size="office"
        value={value ?? undefined}
        onChange={onChange}
        options={options}
        {...(placeholder ? { placeholder } : {})}
      />
    </Field>
  );
}

/** Yes or no, in a box of its own with its consequence. */
export function SwitchField({ name, label, help }: FieldProps) {
  const { value, onChange } = useFormField<boolean>(name, label);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is a button, which a label may name
    <label className="flex items-center gap-3 rounded-touch px-3.5 py-2.5 shadow-[inset_0_0_0_1px_var(--line)]">
      <span className="min-w-0 flex-1">
        <span className="block text-sm font-medium">{label}</span>
        {help && <span className="block text-caption text-quiet">{help}</span>}
      </span>
      <Switch checked={Boolean(value)} onCheckedChange={onChange} />
    </label>
  );
}

export function FormSection({
  title,
  action,
  children,
}: {
  title: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid grid-cols-1 gap-2.5">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h3 className="text-base font-semibold">{title}</h3>
        {action}
      </div>
      <div className="grid grid-cols-1 gap-4">{children}</div>
    </section>
  );
}
