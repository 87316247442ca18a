/** Orders of this phone that are for somebody else, and, as `next`, that the next one is. The end of a session drops them. */
const slot = 'gift-orders';
const next = 'next';

/** How many are remembered: who has bought so many after one has given it, or will not. */
const most = 10;

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(slot) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return []; // not written by this version
  }
}

/** Where the browser has no room left, the bought vouchers are given from their own pages. */
function store(orders: string[]) {
  try {
    localStorage.setItem(slot, JSON.stringify(orders.slice(-most)));
  } catch (error) {
    console.warn('gift-wish: not stored', error);
  }
}

const without = (one: string) => read().filter((other) => other !== one);

/** Whether what is bought next is for somebody else. */
export const isNextForOthers = () => read().includes(next);

export function setNextForOthers(wished: boolean) {
  store(wished ? [...without(next), next] : without(next));
}

/** Remembers an order that was made while that was wished for. */
export function keepWish(order: string) {
  if (isNextForOthers()) store([...without(next), order]);
}

/** Whether an order is for somebody else, and nobody has begun to give it. */
export const isForOthers = (order: string) => read().includes(order);

export function endWish(order: string) {
  if (isForOthers(order)) store(without(order));
}
