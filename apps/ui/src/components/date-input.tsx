import { useLingui } from '@lingui/react/macro';
import { Calendar } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import { date } from '../format/format.ts';
import { Input } from './input.tsx';

/** A day as `dd/mm/yyyy` whatever the browser's country; `YYYY-MM-DD` out, and null of nothing. */
export function DateInput({
  value,
  onChange,
  className,
  ...props
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'after' | 'inputMode'> & {
  value: string | null;
  onChange: (day: string | null) => void;
}) {
  const { t } = useLingui();
  const picker = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const known = value && isDay(value) ? value : '';
  return (
    <Input
      {...props}
      className={className ?? ''}
      inputMode="numeric"
      placeholder="dd/mm/yyyy"
      value={typed ?? (known ? date(known) : (value ?? ''))}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(dayOf(event.target.value));
      }}
      onBlur={(event) => {
        setTyped(undefined);
        props.onBlur?.(event);
      }}
      after={
        <span className="relative">
          <button
            type="button"
            aria-label={t`Choose a day`}
            disabled={props.disabled}
            onClick={() => picker.current?.showPicker()}
            className="grid size-9 shrink-0 place-items-center rounded-small hover:bg-muted"
          >
            <Calendar aria-hidden className="size-[17px]" />
          </button>
          <input
            ref={picker}
            type="date"
            tabIndex={-1}
            aria-hidden
            value={known}
            onChange={(event) => onChange(event.target.value || null)}
            className="pointer-events-none absolute inset-x-0 bottom-0 h-0 opacity-0"
          />
        </span>
      }
    />
  );
}

export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Years from here on are counted from the Buddha, as Thai people write them: 2569 is 2026. */
const buddhist = 2400;

/** `2026-11-01` of `1/11/2026` and of `1/11/2569`; what is no day stays as typed, so that the form can say so. */
export function dayOf(text: string): string | null {
  if (!text.trim()) return null;
  const [, day, month, written] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/.exec(text) ?? [];
  if (!day || !month || !written) return text;
  const year = Number(written) < buddhist ? written : Number(written) - 543;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const real = at.getUTCDate() === Number(day) && at.getUTCMonth() === Number(month) - 1;
  return real ? at.toISOString().slice(0, 10) : text;
}
