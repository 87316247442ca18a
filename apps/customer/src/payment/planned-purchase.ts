import type { Body } from '@wlv/client/call';

type Purchase = Body<'/api/user/order/confirm'>;

/** A purchase that its buyer has agreed to, and that is made once the top-up for it is in. */
interface Planned {
  /** The idempotency key of the purchase: it is made once, from however many pages and top-ups. */
  key: string;
  body: Purchase;
  /** It is the cart: what was bought leaves it. */
  cart: boolean;
  /** Where its buyer agreed to it: who left the page of the top-up goes on there. */
  back: string;
  /** The order that came of it. */
  order?: string;
}

/** There is one: what somebody agreed to last is what he wants. The end of a session drops it. */
const slot = 'planned-purchase';

/** Keeps a purchase for when its top-up is in, and returns its key; agreed to again before it was made, it has the same one. */
export function planPurchase(body: Purchase, cart: boolean, back: string): string {
  const present = plannedPurchase();
  const again = present && !present.order && same(present.body, body);
  const key = again ? present.key : crypto.randomUUID();
  store({ key, body, cart, back });
  return key;
}

/** Reads what is planned. It returns undefined if there is none, or none of this key. */
export function plannedPurchase(key?: string): Planned | undefined {
  try {
    const planned = JSON.parse(localStorage.getItem(slot) ?? 'null') as Planned | null;
    return planned?.body && (key === undefined || planned.key === key) ? planned : undefined;
  } catch {
    return undefined; // not written by this version: as good as none
  }
}

/**
 * Reads what is planned for these lines and not made yet. A purchase of them takes its key: two pages that buy what was planned then make
 * one order.
 */
export function planOf(lines: Purchase['lines']): Planned | undefined {
  const planned = plannedPurchase();
  return planned && !planned.order && same(planned.body.lines, lines) ? planned : undefined;
}

/** Ends the plan by an order: pages that still wait for a top-up of this key lead to it. */
export function endPlan(key: string | undefined, order: string) {
  const planned = plannedPurchase(key);
  if (key && planned) store({ ...planned, order });
  else dropPlan();
}

/** Nothing is bought by itself any more. */
export function dropPlan() {
  localStorage.removeItem(slot);
}

/** Where the browser has no room left, nothing is bought by itself: the money waits in the wallet. */
function store(planned: Planned) {
  try {
    localStorage.setItem(slot, JSON.stringify(planned));
  } catch (error) {
    console.warn('planned-purchase: not stored', error);
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
