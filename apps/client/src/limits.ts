import type { Fault } from './faults.gen.ts';
import { limits } from './limits.gen.ts';

/** What the server takes in one field of a form. */
export interface Limit {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

/** A call whose body a form makes. */
export type FormPath = keyof typeof limits;

/** The limits of a form's fields by their path (`owner.username`); `*` stands for the number of a row (`parts.*.quantity`). */
export function limitsOf(path: FormPath): Record<string, Limit> {
  return limits[path];
}

/** The limit of one field, whichever row it is in. */
export const limitOf = (path: FormPath, name: string): Limit =>
  limitsOf(path)[name.replace(/\.\d+(?=\.)/g, '.*')] ?? {};

type Values = Record<string, unknown>;

/** Every field of these values that has a limit: its path and its value. What belongs to something that is left out is not asked for. */
export function limitedFields(path: FormPath, values: Values): { name: string; limit: Limit; value: unknown }[] {
  return Object.entries(limitsOf(path)).flatMap(([name, limit]) =>
    fieldsAt(name.split('.'), values).map(([at, value]) => ({ name: at, limit, value })),
  );
}

function fieldsAt([first = '', ...rest]: string[], values: unknown): [string, unknown][] {
  if (first === '*') {
    return Object.keys((values as unknown[] | undefined) ?? []).flatMap((row) => fieldsAt([row, ...rest], values));
  }
  const value = (values as Values)[first];
  if (!rest.length) return [[first, value]];
  if (value === undefined || value === null) return [];
  return fieldsAt(rest, value).map(([at, inside]) => [`${first}.${at}`, inside]);
}

/** What the server would say about this value; null where it would take it. */
export function faultOf(limit: Limit, value: unknown): Fault | null {
  const empty = value === null || value === undefined || (typeof value === 'string' && !value.trim());
  if (empty) return limit.required ? 'field.required' : null;
  if (typeof value === 'string') return faultOfText(limit, value);
  return typeof value === 'number' ? faultOfNumber(limit, value) : null;
}

function faultOfText({ minLength = 0, maxLength, pattern }: Limit, value: string): Fault | null {
  // Letters as people count them, which is how the server counts.
  const length = [...value].length;
  if (length < minLength) return 'field.too_short';
  if (maxLength !== undefined && length > maxLength) return 'field.too_long';
  return pattern && !new RegExp(pattern).test(value) ? 'field.format' : null;
}

function faultOfNumber({ minimum, maximum }: Limit, value: number): Fault | null {
  if (Number.isNaN(value)) return 'field.type';
  if (minimum !== undefined && value < minimum) return 'field.too_small';
  return maximum !== undefined && value > maximum ? 'field.too_big' : null;
}
