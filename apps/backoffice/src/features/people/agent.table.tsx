import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pick } from '@wlv/client/language';
import { lazy } from 'react';
import { activate, statusFilter, suspend } from '../../resource/actions.ts';
import { instant, money } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';

const AgentStory = lazy(() => import('./agent-story.tsx'));

export const agent = defineResource<'agent'>({
  table: 'agent',
  module: 'agent',
  path: 'agentlist',
  menu: { group: 'agents', place: 10 },
  title: msg`Agents`,
  one: msg`agent`,
  name: (row) => row.name ?? '',
  code: (row) => row.referercode,
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    { name: 'agent_type_id', title: msg`Agent type`, cell: Type },
    money('sold_satang', msg`Sold`),
    money('commission_satang', msg`Commission`),
    instant('approved_at', msg`Approved`),
  ],
  filters: [
    statusFilter,
    { name: 'agent_type_id', title: msg`Agent type`, kind: 'lookup', table: 'agenttype' },
    { name: 'approved_at', title: msg`Approved`, kind: 'instant' },
  ],
  actions: [activate, suspend],
  story: AgentStory,
  empty: {
    title: msg`No agent yet`,
    line: msg`Open a customer and approve him as an agent; he then has sale links of his own.`,
  },
});

function Type({ row }: { row: RowOf<'agent'> }) {
  const { i18n } = useLingui();
  return pick(row, 'type_name', i18n.locale);
}
