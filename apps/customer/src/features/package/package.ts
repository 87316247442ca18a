import type { Detail } from '@wlv/client/call';

/** A package as its page shows it. */
export type PackageDetail = Detail<'/api/user/salepackage/detail'>;

/** So many vouchers of one template in it. */
export type Part = PackageDetail['parts'][number];
