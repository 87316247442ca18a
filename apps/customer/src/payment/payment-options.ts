import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';

/** The ways to pay past the wallet. */
export function usePaymentOptions(enabled = true) {
  return useQuery({ ...query('/api/user/wallet/payment-options', {}), staleTime: 600_000, enabled });
}

/** A gateway takes 1 to 150,000 baht at once. */
export const canBePaidDirectly = (satang: number) => satang >= 1_00 && satang <= 150_000_00;
