import { type ComponentProps, useState } from 'react';
import { amount } from '../format/format.ts';
import { Input } from './input.tsx';

/** Baht as people type them; satang out. What is no amount comes out as NaN, so that the form can say so. */
export function MoneyInput({
  value,
  onChange,
  ...props
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'before' | 'inputMode'> & {
  value: number | null;
  onChange: (satang: number | null) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? (value === null || Number.isNaN(value) ? '' : amount(value));
  return (
    <Input
      {...props}
      inputMode="decimal"
      before={<span className="text-quiet">฿</span>}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(satangOf(event.target.value));
      }}
      onBlur={(event) => {
        // What can't be read stays as it was typed.
        if (value === null || Number.isSafeInteger(value)) setTyped(undefined);
        props.onBlur?.(event);
      }}
    />
  );
}

/**
 * Satang of `1,290.5`; null of nothing, NaN of what is no amount. No float is involved in what a form takes: what is below
 * nothing, or more than it can count, is an amount all the same, so that the form says which.
 */
export function satangOf(text: string): number | null {
  const plain = text.replace(/[,\s฿]/g, '');
  if (!plain) return null;
  const match = /^(-?)(\d+)(?:\.(\d{0,2}))?$/.exec(plain);
  if (!match) return Number.NaN;
  const [, sign, baht = '0', satang = ''] = match;
  const sum = Number(baht) * 100 + Number(satang.padEnd(2, '0'));
  return sign ? -sum : sum;
}
