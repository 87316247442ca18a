import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, NumberField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { number } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';

type List = 'customertype' | 'salechannel' | 'service' | 'timeslot' | 'size' | 'qrtype';

interface Words {
  title: MessageDescriptor;
  one: MessageDescriptor;
  empty: { title: MessageDescriptor; line: MessageDescriptor };
}

/** One of the lists whose rows are a name and a place in the order. `begun` says that its first rows are the platform's. */
function choices(table: List, path: string, place: number, words: Words, { begun = false } = {}) {
  // The rows of all these tables have one shape.
  return defineResource<'service'>({
    table: table as 'service',
    module: 'setting',
    path,
    menu: { group: 'advanced', place },
    ...words,
    name: (row) => row,
    columns: [
      ...(begun ? [{ name: 'number' as const, title: msg`Made by`, cell: Maker, sorts: true }] : []),
      number('position', msg`Position`),
    ],
    filters: [statusFilter],
    actions: defaultActions,
    form: { fields: Fields, fresh: { name_th: '', name_en: '', position: 10 } },
  });
}

export const customertype = choices(
  'customertype',
  'customertypelist',
  10,
  {
    title: msg`Customer types`,
    one: msg`customer type`,
    empty: { title: msg`No customer type yet`, line: msg`Kinds of customers that you tell apart.` },
  },
  { begun: true },
);

export const salechannel = choices(
  'salechannel',
  'salechannellist',
  20,
  {
    title: msg`Sales channels`,
    one: msg`sales channel`,
    empty: { title: msg`No sales channel yet`, line: msg`Ways in which your packages are sold.` },
  },
  { begun: true },
);

export const service = choices('service', 'servicelist', 30, {
  title: msg`Services`,
  one: msg`service`,
  empty: { title: msg`No service yet`, line: msg`What you do for customers, such as a massage or a dinner.` },
});

export const timeslot = choices('timeslot', 'slotlist', 40, {
  title: msg`Time slots`,
  one: msg`time slot`,
  empty: { title: msg`No time slot yet`, line: msg`Parts of the day that customers come in, such as lunch.` },
});

export const size = choices('size', 'sizelist', 50, {
  title: msg`Sizes`,
  one: msg`size`,
  empty: { title: msg`No size yet`, line: msg`Sizes of what you serve or lend, from small to large.` },
});

export const qrtype = choices('qrtype', 'qrtypelist', 60, {
  title: msg`QR types`,
  one: msg`QR type`,
  empty: { title: msg`No QR type yet`, line: msg`What your QR codes are printed on, such as gift cards.` },
});

/** The platform's rows have its number; they can be renamed, not deleted. */
function Maker({ row }: { row: RowOf<'service'> }) {
  const { t } = useLingui();
  return typeof row.number === 'number' ? t`The platform` : t`Your shop`;
}

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <NumberField name="position" label={t`Position`} help={t`The smallest comes first in the list.`} />
    </>
  );
}
