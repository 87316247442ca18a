import { resourceScreen } from '../../resource/resource-screen.tsx';
import { orders } from './order.tsx';
import { voucher } from './voucher.tsx';

export const OrdersPage = resourceScreen(orders);
export const VouchersPage = resourceScreen(voucher);
