import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { activate, statusFilter, suspend } from '../../resource/actions.ts';
import { instant, money, option, text, word } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

const CustomerStory = lazy(() => import('./customer-story.tsx'));

const yesNo = { true: { title: msg`Agent`, tone: 'brand' }, false: { title: msg`–` } } as const;

export const customer = defineResource<'customer'>({
  table: 'customer',
  module: 'customer',
  path: 'customerlist',
  grows: true,
  nameSorts: 'displayName',
  menu: { group: 'customers', place: 10 },
  title: msg`Customers`,
  one: msg`customer`,
  name: (row) => row.displayName ?? '',
  code: (row) => [row.firstname, row.lastname].filter(Boolean).join(' ') || undefined,
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    { name: 'emailaddress', title: msg`E-mail`, cell: ({ row }) => row.emailaddress || '–', sorts: false },
    instant('created_at', msg`First came`),
    option('customer_type', msg`Came by`, 'customertype'),
    word('agent', msg`Agent`, yesNo, { sorts: false }),
    money('debt_satang', msg`Owes`, { sorts: false, hidden: true }),
    text('referercode', msg`Referral code`, { sorts: false, hidden: true }),
  ],
  filters: [
    statusFilter,
    { name: 'created_at', title: msg`First came`, kind: 'instant' },
    { name: 'customer_type', title: msg`Came by`, kind: 'option', list: 'customertype' },
    { name: 'agent', title: msg`Agent`, kind: 'yes' },
    { name: 'debt_satang', title: msg`Owes`, kind: 'money' },
  ],
  actions: [activate, suspend],
  story: CustomerStory,
  empty: {
    title: msg`No customer yet`,
    line: msg`Everybody who signs in to your market stands here.`,
  },
});
