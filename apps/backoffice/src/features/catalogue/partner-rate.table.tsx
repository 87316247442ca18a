import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { calendarDay, percent } from '@wlv/ui/format';
import { Trash2 } from 'lucide-react';
import { DayField, PercentField } from '../../form/fields.tsx';
import { LookupField } from '../../form/lookup-fields.tsx';
import { day } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusStyle } from '../../resource/resource.ts';

type Rate = RowOf<'partnerrate'>;

export const partnerRate = defineResource<'partnerrate'>({
  table: 'partnerrate',
  module: 'servicepoint',
  path: 'partnerratelist',
  menu: { group: 'staff', place: 33 },
  title: msg`Partners’ commission`,
  one: msg`commission of a partner`,
  name: (row) => ({ name_th: row.partner_name_th ?? '', name_en: row.partner_name_en ?? '' }),
  nameSorts: 'partner_name_th',
  columns: [
    {
      name: 'basis_points',
      title: msg`Commission`,
      cell: ({ row }) => percent(row.basis_points ?? 0),
      numeric: true,
      sorts: true,
      card: 'amount',
    },
    day('first_day', msg`First day`),
  ],
  filters: [{ name: 'partner_id', title: msg`Partner`, kind: 'lookup', table: 'partner' }],
  look,
  actions: [
    {
      status: 9,
      title: msg`Cancel the rate`,
      icon: Trash2,
      question: msg`Only a rate whose first day has not come can be cancelled: nothing was used by it.`,
    },
  ],
  fixed: () => true,
  form: { fields: Fields, fresh: { partner_id: '', basis_points: 1000, first_day: '' } },
  empty: {
    title: msg`No commission yet`,
    line: msg`Without one a partner earns nothing of what is used at his service points.`,
  },
});

function look(row: Rate): StatusStyle {
  if (row.first_day && row.first_day > calendarDay(Date.now())) return { title: msg`Scheduled`, tone: 'info' };
  return { title: msg({ message: 'Begun', context: 'a rate' }), tone: 'mute' };
}

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <LookupField name="partner_id" table="partner" label={t`Partner`} />
      <PercentField
        name="basis_points"
        label={t`Commission`}
        help={t`Of what you earn by each use at his service points; at most 50%`}
      />
      <DayField
        name="first_day"
        label={t`First day`}
        help={t`It holds for uses from then on, until the next one begins`}
      />
    </>
  );
}
