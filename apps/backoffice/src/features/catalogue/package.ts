import type { AnyFault } from '@wlv/client/faults';
import type { ValuesOf } from '../../resource/resource.ts';

type Sent = ValuesOf<'salepackage'>;

export type PackagePart = NonNullable<Sent['parts']>[number];

/** What the form of a package holds: its price may be empty until it is sold. */
export type PackageValues = Omit<Sent, 'price_satang' | 'parts'> & {
  price_satang: number | null;
  parts: PackagePart[];
};

/** For how many days the law lets who bought goods of a protected class withdraw. */
export const lawfulDays = 7;

export const isProtected = (kind: PackageValues['class']) => kind !== 'ordinary';

/** A part for a voucher type that does not exist yet. */
export const freshPart = (): PackagePart => ({
  voucher_type_id: null,
  gift_voucher_id: null,
  quantity: 1,
  new_voucher_type: {
    name_th: '',
    name_en: '',
    items: 1,
    list_price_satang: null,
    valid_days: 90,
    valid_until: null,
    expiry_rule: 'wallet',
    conditions_th: '',
    conditions_en: '',
    service_points: [],
  },
});

/** What a new package begins with. */
export const freshPackage = (): PackageValues => ({
  code: '',
  name_th: '',
  name_en: '',
  description_th: '',
  description_en: '',
  badge_th: '',
  badge_en: '',
  picture_id: null,
  price_satang: null,
  list_price_satang: null,
  sale_from: null,
  sale_to: null,
  per_customer: null,
  class: 'ordinary',
  refund_rule: 'asking',
  refund_days: lawfulDays,
  refund_fee_basis_points: 0,
  featured: false,
  quantity: null,
  tags: [],
  parts: [freshPart()],
});

/** What is sent for what the form shows: no price yet is 0, a part that nobody has named is nothing, and what the law decides is not asked. */
export const sentPackage = (values: PackageValues): Sent => ({
  ...values,
  ...(isProtected(values.class) ? { refund_rule: 'self', refund_fee_basis_points: 0 } : {}),
  price_satang: values.price_satang ?? 0,
  parts: values.parts.map(({ new_voucher_type: added, ...part }) =>
    added?.name_th.trim() ? { ...part, new_voucher_type: added } : part,
  ),
});

/** Rules between fields, of a draft too. */
export function checkPackage(values: PackageValues) {
  const { sale_from, sale_to, parts, list_price_satang, price_satang, class: kind, refund_days } = values;
  const faults: Record<string, AnyFault> = {};
  if (sale_from && sale_to && new Date(sale_from) >= new Date(sale_to)) faults.sale_to = 'field.too_small';
  if (list_price_satang !== null && price_satang !== null && list_price_satang < price_satang) {
    faults.list_price_satang = 'field.too_small';
  }
  if (isProtected(kind) && refund_days < lawfulDays) faults.refund_days = 'field.below_law';
  parts.forEach(({ new_voucher_type: added }, i) => {
    if (!added?.name_th.trim()) return;
    const at = `parts.${i}.new_voucher_type`;
    if (!added.valid_days && !added.valid_until) faults[`${at}.valid_days`] = 'field.required';
    if (added.valid_days && added.valid_until) faults[`${at}.valid_until`] = 'field.format';
  });
  return faults;
}

/** What keeps it from being on sale, as the server says it too. The number of open service points is null while nobody knows it. */
export function missingForSale(values: PackageValues, places: number | null, now = Date.now()) {
  const faults: Record<string, AnyFault> = {};
  if (!values.picture_id) faults.picture_id = 'field.required';
  if (values.price_satang === null) faults.price_satang = 'field.required';
  if (!values.parts.length) faults.parts = 'field.required';
  values.parts.forEach(({ new_voucher_type: added }, i) => {
    if (!added) return;
    if (!added.name_th.trim()) faults[`parts.${i}.new_voucher_type.name_th`] = 'field.required';
    if (places === 0) faults[`parts.${i}.new_voucher_type.service_points`] = 'field.no_service_point';
  });
  if (values.sale_to && new Date(values.sale_to).getTime() <= now) faults.sale_to = 'field.too_small';
  return faults;
}
