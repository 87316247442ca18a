import type { Detail } from '@wlv/client/call';

type Giving = Pick<Detail<'/api/user/voucher/detail'>, 'state' | 'transfer_rule' | 'transfers_left'>;

/** Whether its holder may give or sell a voucher to somebody else now. */
export function mayGive({ state, transfer_rule, transfers_left }: Giving) {
  if (state !== 'ready') return false;
  return transfer_rule === 'unlimited' || (transfer_rule === 'times' && transfers_left > 0);
}
