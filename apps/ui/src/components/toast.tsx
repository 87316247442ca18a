import { type ReactNode, useSyncExternalStore } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'info';

interface ToastMessage {
  tone: Tone;
  title: ReactNode;
  line?: ReactNode;
  action?: { label: string; onClick: () => void };
}

export interface ShownToast extends ToastMessage {
  id: number;
}

let shown: ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: ShownToast[]) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says something from anywhere; it leaves after 5 seconds, an error stays until it is closed. Toaster (toaster.tsx) shows it. */
export function toast(message: ToastMessage) {
  lastId += 1;
  show([...shown.slice(-2), { ...message, id: lastId }]);
}

export function dismiss(id: number) {
  show(shown.filter((message) => message.id !== id));
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being said now. */
export function useToasts() {
  return useSyncExternalStore(subscribe, () => shown);
}
