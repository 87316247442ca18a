import { useSyncExternalStore } from 'react';

/** What is in the cart of this browser; prices are asked from the server each time. */
export interface CartEntry {
  package_id: string;
  /** How many, 1…99. */
  total: number;
}

const key = 'cart';
const most = 99;
const listeners = new Set<() => void>();
let read: { text: string | null; entries: CartEntry[] } = { text: null, entries: [] };

function entries(): CartEntry[] {
  const text = localStorage.getItem(key);
  if (text !== read.text) read = { text, entries: text ? parse(text) : [] };
  return read.entries;
}

/** Somebody may have written anything into the browser's storage. */
function parse(text: string): CartEntry[] {
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return [];
    return stored.filter((e): e is CartEntry => typeof e?.package_id === 'string' && Number.isInteger(e?.total));
  } catch {
    return [];
  }
}

function write(next: CartEntry[]) {
  localStorage.setItem(key, JSON.stringify(next));
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

export const cart = {
  add(packageId: string) {
    const present = entries().find((entry) => entry.package_id === packageId);
    cart.set(packageId, Math.min(most, (present?.total ?? 0) + 1));
  },

  set(packageId: string, total: number) {
    const present = entries().some((entry) => entry.package_id === packageId);
    const changed = { package_id: packageId, total };
    write(present ? entries().map((e) => (e.package_id === packageId ? changed : e)) : [...entries(), changed]);
  },

  remove(packageId: string) {
    write(entries().filter((entry) => entry.package_id !== packageId));
  },
};

export function useCart() {
  return useSyncExternalStore(subscribe, entries, () => none);
}

/** What a page has in its cart as the server wrote it: that knows no browser. */
const none: CartEntry[] = [];

/** The badge on the tab: the sum of all counts. */
export function useCartCount() {
  return useCart().reduce((sum, entry) => sum + entry.total, 0);
}
