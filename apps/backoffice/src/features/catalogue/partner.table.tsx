import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { count, percent } from '@wlv/ui/format';
import { UserX } from 'lucide-react';
import { lazy } from 'react';
import { BothLanguages } from '../../form/fields.tsx';
import { activate, suspend } from '../../resource/actions.ts';
import { defineResource, type RowOf, type StatusStyle } from '../../resource/resource.ts';

type Partner = RowOf<'partner'>;

const PartnerAccount = lazy(() => import('./partner-account.tsx'));

export const partner = defineResource<'partner'>({
  table: 'partner',
  module: 'servicepoint',
  path: 'partnerlist',
  menu: { group: 'staff', place: 32, waiting: { waiting: true } },
  title: msg`Partners`,
  one: msg`partner`,
  name: (row) => row,
  columns: [
    { name: 'places', title: msg`Service points`, cell: Places, numeric: true },
    { name: 'basis_points', title: msg`Commission`, cell: Rate, numeric: true },
    { name: 'approved', title: msg`Account`, cell: Account },
  ],
  filters: [
    { name: 'waiting', title: msg`An account waits`, kind: 'yes' },
    {
      name: 'status',
      title: msg`State`,
      kind: 'choice',
      number: true,
      choices: [
        { value: '5', title: msg`Active` },
        { value: '4', title: msg`Suspended` },
        { value: '2', title: msg({ message: 'Ended', context: 'a partner' }) },
      ],
    },
  ],
  look,
  actions: [
    { ...activate, from: [4] },
    {
      ...suspend,
      from: [5],
      question: msg`He earns nothing of what is used meanwhile, and is in no payout. What he has earned stays his.`,
    },
    {
      status: 2,
      title: msg({ message: 'End', context: 'a partner' }),
      icon: UserX,
      from: [4, 5],
      question: msg`For good: his service points are yours alone then. What he has earned is still paid.`,
    },
  ],
  form: { fields: Fields, fresh: { name_th: '', name_en: '' } },
  extra: ({ record }) => <PartnerAccount id={record.id ?? ''} ended={record.status === 2} />,
  empty: {
    title: msg`No partner yet`,
    line: msg`A partner earns a part of what is used at his service points. Add him, then his commission and his bank account.`,
  },
});

function look(row: Partner): StatusStyle {
  if (row.status === 2) return { title: msg({ message: 'Ended', context: 'a partner' }), tone: 'mute' };
  if (row.status === 4) return { title: msg`Suspended`, tone: 'bad' };
  if (row.waiting) return { title: msg`An account waits`, tone: 'info' };
  return { title: msg`Active`, tone: 'ok' };
}

function Places({ row }: { row: Partner }) {
  return row.places ? count(row.places) : '–';
}

function Rate({ row }: { row: Partner }) {
  return row.basis_points == null ? '–' : percent(row.basis_points);
}

function Account({ row }: { row: Partner }) {
  const { t } = useLingui();
  return row.approved ? t({ message: 'Approved', context: 'a form' }) : t`None yet`;
}

function Fields() {
  const { t } = useLingui();
  return <BothLanguages name="name" label={t`Name`} />;
}
