import type { Detail, Row } from '@wlv/client/call';

/** A package as its page shows it. */
export type PackageDetail = Detail<'/api/user/salepackage/detail'>;

/** So many vouchers of one template in it. */
export type Part = PackageDetail['parts'][number];

/** What the market says of it already. */
export type KnownPackage = Row<'/api/user/get/salepackage'> & Partial<PackageDetail>;
