/**
 * What the platform does for people. A screen that promises one of these asks here, so that none is promised before it is done;
 * the change that brings one sets it. What rows say of it (a transfer rule) is kept and shown from then on.
 */
export const capabilities: Record<'refunds' | 'transfers' | 'payouts', boolean> = {
  /** Who paid has unused items refunded by himself, or asks the shop to, as its package says. */
  refunds: true,
  /** A voucher is given on to somebody else, as a gift or otherwise. */
  transfers: true,
  /** What a shop has earned is transferred to its bank account. Agents' commission is. */
  payouts: false,
};
