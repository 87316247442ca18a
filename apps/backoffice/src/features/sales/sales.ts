import { resourceScreen } from '../../resource/resource-screen.tsx';
import { deposit } from './deposit.tsx';
import { orders } from './order.tsx';
import { voucher } from './voucher.tsx';

export const DepositsPage = resourceScreen(deposit);
export const OrdersPage = resourceScreen(orders);
export const VouchersPage = resourceScreen(voucher);
