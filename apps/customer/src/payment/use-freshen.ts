import { useQueryClient } from '@tanstack/react-query';
import type { Path } from '@wlv/client/call';

const changedByBuying: Path[] = [
  '/api/user/getwallet',
  '/api/user/wallet/movements',
  '/api/user/voucher/list',
  '/api/user/order/awaiting',
  '/api/user/order/list',
  '/api/user/history/list',
  '/api/user/get/salepackage',
];

/** Asks anew for what a purchase makes stale. */
export function useFreshenAfterPurchase() {
  const client = useQueryClient();
  return () => {
    for (const path of changedByBuying) void client.invalidateQueries({ queryKey: [path] });
  };
}
