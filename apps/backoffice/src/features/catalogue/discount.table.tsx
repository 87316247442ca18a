import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { baht, count } from '@wlv/ui/format';
import { CirclePause, CirclePlay } from 'lucide-react';
import { remove } from '../../resource/actions.ts';
import { instant, money, number, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusStyle } from '../../resource/resource.ts';
import { DiscountFields } from './discount-fields.tsx';
import { DiscountTester } from './discount-tester.tsx';

type Discount = RowOf<'discount'>;

export const discount = defineResource<'discount'>({
  table: 'discount',
  module: 'discount',
  path: 'discountlist',
  menu: { group: 'products', place: 30 },
  title: msg`Discounts`,
  one: msg`discount`,
  name: (row) => row,
  code: (row) => row.code || undefined,
  columns: [
    { name: 'value', title: msg`Takes off`, cell: Value },
    word(
      'how',
      msg`Given`,
      {
        automatic: { title: msg`By itself` },
        code: { title: msg`By a code` },
        codes: { title: msg`By many codes` },
      },
      { sorts: false },
    ),
    { name: 'used', title: msg`Used`, cell: Used, sorts: true, numeric: true },
    money('spent_satang', msg`Taken off`),
    instant('ends_at', msg`Until`),
    number('position', msg`Position`, { hidden: true }),
  ],
  views: [
    { title: msg`All`, filter: {} },
    { title: msg`In use`, filter: { status: 5 }, empty: msg`No discount in use` },
    { title: msg`Not in use`, filter: { status: 2 }, empty: msg`No discount is paused` },
  ],
  filters: [
    {
      name: 'how',
      title: msg`Given`,
      kind: 'choice',
      choices: [
        { value: 'automatic', title: msg`By itself` },
        { value: 'code', title: msg`By a code` },
        { value: 'codes', title: msg`By many codes` },
      ],
    },
    { name: 'ends_at', title: msg`Until`, kind: 'instant', coming: true },
  ],
  look,
  actions: [
    { status: 5, title: msg`Use the discount`, icon: CirclePlay },
    { status: 2, title: msg`Pause the discount`, icon: CirclePause },
    remove,
  ],
  refusals: {
    'value:field.too_small': msg`Enter what it takes off.`,
    'value:field.too_big': msg`It takes off at most 100 %.`,
    'ends_at:field.too_small': msg`It ends after it begins.`,
    'uses:field.too_small': msg`It has been used more often already.`,
    'budget_satang:field.too_small': msg`More than that has been taken off already.`,
    'code:field.required': msg`Enter the code that customers type.`,
    'code:field.too_short': msg`A code has at least four letters or digits.`,
    'code:field.duplicate': msg`Another discount has this code. Choose another one.`,
    'payer:field.not_in_list': msg`Only the platform can say what the platform pays.`,
  },
  form: {
    fields: DiscountFields,
    preview: DiscountTester,
    fresh: {
      name_th: '',
      name_en: '',
      position: 10,
      how: 'code',
      class: 'cart',
      kind: 'percent',
      value: 1000,
      max_satang: null,
      payer: 'organisation',
      least_satang: 0,
      least_items: 0,
      first_only: false,
      starts_at: null,
      ends_at: null,
      uses_each: null,
      stack: 'alone',
      uses: null,
      budget_satang: null,
      code: '',
      packages: [],
      tags: [],
      channels: [],
    },
  },
  empty: {
    title: msg`No discount yet`,
    line: msg`A discount makes a cart cheaper: by a code that customers type, or by itself.`,
  },
});

function look(row: Discount): StatusStyle | null {
  const now = Date.now();
  if (row.status !== 5) return { title: msg`Not in use`, tone: 'mute' };
  if (row.ends_at && Date.parse(row.ends_at) <= now) return { title: msg`Over`, tone: 'mute' };
  if (row.uses && (row.used ?? 0) >= row.uses) return { title: msg`Used up`, tone: 'mute' };
  if (row.starts_at && Date.parse(row.starts_at) > now) return { title: msg`Scheduled`, tone: 'info' };
  return { title: msg`In use`, tone: 'ok' };
}

function Value({ row }: { row: Discount }) {
  const { t } = useLingui();
  const value = row.value ?? 0;
  if (row.kind === 'percent') return t`${value / 100} %`;
  const sum = baht(value);
  return row.class === 'line' ? t`${sum} off each piece` : sum;
}

function Used({ row }: { row: Discount }) {
  const { t } = useLingui();
  const used = count(row.used ?? 0);
  return row.uses ? t`${used} of ${count(row.uses)}` : used;
}
