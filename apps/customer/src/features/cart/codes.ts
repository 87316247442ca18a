import { useSyncExternalStore } from 'react';

/** Codes of discounts that the server knows and that the next purchase uses, as they were typed. The end of a session drops them. */
const slot = 'discount-codes';

/** How many a cart may have. */
export const mostCodes = 5;

const listeners = new Set<() => void>();
const none: string[] = [];
let read: { text: string | null; codes: string[] } = { text: null, codes: none };

function codes(): string[] {
  const text = localStorage.getItem(slot);
  if (text !== read.text) read = { text, codes: text ? parse(text) : none };
  return read.codes;
}

/** Somebody may have written anything into the browser's storage. */
function parse(text: string): string[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, mostCodes) : none;
  } catch {
    return none;
  }
}

function write(next: string[]) {
  if (next.length > 0) localStorage.setItem(slot, JSON.stringify(next));
  else localStorage.removeItem(slot);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const addCode = (code: string) => write([...codes(), code]);
export const dropCode = (code: string) => write(codes().filter((other) => other !== code));
export const dropCodes = () => write(none);

export const useCodes = () => useSyncExternalStore(subscribe, codes, () => none);
