import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, query } from '@wlv/client/call';
import { DateInput } from '@wlv/ui/date-input';
import { Field, FormError } from '@wlv/ui/field';
import { date } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { FormSection, NumberField, useFormField } from '../../form/fields.tsx';

/** Nothing that limits when a voucher can be used. */
export const defaultConditions = {
  weekdays: [] as number[],
  use_from: null,
  use_to: null,
  blackout_days: [] as string[],
  persons: null,
};

type Conditions = Body<'/api/owner/conditions/preview'>;

/** On which days, at which hours and for how many persons; below, what buyers, holders and staff will read. */
export function ConditionsFields() {
  const { t } = useLingui();
  return (
    <FormSection title={t`When it can be used`}>
      <WeekdaysField />
      <div className="grid gap-4 sm:grid-cols-2">
        <HourField name="use_from" label={t`From`} help={t`Empty: all day`} />
        <HourField name="use_to" label={t`To`} help={t`Before the first hour it is of the next day`} />
      </div>
      <BlackoutField />
      <div className="max-w-72">
        <NumberField
          name="persons"
          label={t`Persons a use, at most`}
          unit={t`persons`}
          help={t`Empty: it says nothing`}
        />
      </div>
      <ConditionsPreview />
    </FormSection>
  );
}

/** Monday is 1. 2024-01-01 was one. */
function useWeekdays() {
  const { i18n } = useLingui();
  const locale = i18n.locale === 'th' ? 'th-TH' : 'en-GB';
  const short = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const long = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 7].map((number) => {
    const day = Date.UTC(2024, 0, number);
    return { number, short: short.format(day), long: long.format(day) };
  });
}

function WeekdaysField() {
  const { t } = useLingui();
  const { value, onChange, error } = useFormField<number[] | undefined>('weekdays', t`Weekdays`);
  const days = value ?? [];
  return (
    <fieldset className="grid grid-cols-1 gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t`Weekdays`}</legend>
      <div className="flex flex-wrap gap-2">
        {useWeekdays().map(({ number, short, long }) => {
          const on = days.includes(number);
          return (
            <button
              key={number}
              type="button"
              aria-label={long}
              aria-pressed={on}
              onClick={() => onChange(on ? days.filter((day) => day !== number) : [...days, number].sort())}
              className={clsx(
                'h-9 min-w-11 rounded-small px-3 text-sm',
                on ? 'bg-accent text-accent-foreground' : 'text-muted-foreground shadow-[inset_0_0_0_1px_var(--line)]',
              )}
            >
              {short}
            </button>
          );
        })}
      </div>
      {error ? <FormError>{error}</FormError> : <p className="text-caption text-quiet">{t`None chosen: every day.`}</p>}
    </fieldset>
  );
}

function HourField({ name, label, help }: { name: string; label: string; help: string }) {
  const { value, onChange, onBlur, ref, error } = useFormField<string | null>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <Input
        size="office"
        type="time"
        name={name}
        value={value ?? ''}
        onBlur={onBlur}
        ref={ref}
        onChange={(event) => onChange(event.target.value.slice(0, 5) || null)}
      />
    </Field>
  );
}

function BlackoutField() {
  const { t } = useLingui();
  const { value, onChange, error } = useFormField<string[] | undefined>('blackout_days', t`Days without it`);
  const [day, setDay] = useState<string | null>(null);
  const days = value ?? [];
  const add = (next: string | null) => {
    const whole = next && /^\d{4}-\d{2}-\d{2}$/.test(next);
    setDay(whole ? null : next);
    if (whole && !days.includes(next)) onChange([...days, next].sort());
  };
  return (
    <div className="grid grid-cols-1 gap-2.5">
      <div className="max-w-72">
        <Field
          label={t`Days without it`}
          help={t`One day at a time. Days on which the whole shop is closed stand in the calendar.`}
          error={error}
        >
          <DateInput size="office" name="blackout_days" value={day} onChange={add} />
        </Field>
      </div>
      {days.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {days.map((one) => (
            <li
              key={one}
              className="flex h-9 items-center gap-1 rounded-small bg-accent pl-3 text-sm text-accent-foreground"
            >
              {date(one)}
              <button
                type="button"
                aria-label={t`Take ${date(one)} away`}
                onClick={() => onChange(days.filter((other) => other !== one))}
                className="grid size-9 place-items-center rounded-small"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Made by the server from the form as it is, also before it is saved. */
function ConditionsPreview() {
  const { t } = useLingui();
  const [weekdays, use_from, use_to, blackout_days, persons]: [
    Conditions['weekdays'],
    Conditions['use_from'],
    Conditions['use_to'],
    Conditions['blackout_days'],
    Conditions['persons'],
  ] = useWatch({ name: ['weekdays', 'use_from', 'use_to', 'blackout_days', 'persons'] });
  const { data } = useQuery({
    ...query('/api/owner/conditions/preview', { weekdays, use_from, use_to, blackout_days, persons }),
    placeholderData: keepPreviousData,
    enabled: Boolean(use_from) === Boolean(use_to),
  });
  return (
    <div className="grid gap-1 rounded-touch bg-muted px-3.5 py-3 text-sm" aria-live="polite">
      <p className="text-caption text-quiet">{t`What everybody reads`}</p>
      {data?.usable_th ? (
        <>
          <p lang="th">{data.usable_th}</p>
          <p lang="en">{data.usable_en}</p>
        </>
      ) : (
        <p>{t`Nothing limits when it can be used.`}</p>
      )}
    </div>
  );
}
