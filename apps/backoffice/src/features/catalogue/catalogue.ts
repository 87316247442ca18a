import { resourceScreen } from '../../resource/resource-screen.tsx';
import { giftvoucher } from './gift-voucher.tsx';
import { salepackage } from './package.tsx';
import { servicePoint } from './service-point.tsx';
import { tags } from './tag.tsx';
import { vouchertype } from './voucher-type.tsx';

export const PackagesPage = resourceScreen(salepackage);
export const GiftVouchersPage = resourceScreen(giftvoucher);
export const VoucherTypesPage = resourceScreen(vouchertype);
export const ServicePointsPage = resourceScreen(servicePoint);
export const TagsPage = resourceScreen(tags);
