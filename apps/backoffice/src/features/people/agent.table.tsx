import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pick } from '@wlv/client/language';
import { lazy } from 'react';
import { activate, suspend } from '../../resource/actions.ts';
import { instant, money } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { agentStates } from '../../resource/status-labels.tsx';

const AgentStory = lazy(() => import('./agent-story.tsx'));

export const agent = defineResource<'agent'>({
  table: 'agent',
  module: 'agent',
  path: 'agentlist',
  menu: { group: 'agents', place: 10, waiting: { waiting: true } },
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
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(agentStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'waiting', title: msg`A form waits`, kind: 'yes' },
    { name: 'early', title: msg`Sells without a form`, kind: 'yes' },
    { name: 'agent_type_id', title: msg`Agent type`, kind: 'lookup', table: 'agenttype' },
    { name: 'approved_at', title: msg`Approved`, kind: 'instant' },
  ],
  look: (row) =>
    row.state && row.state !== 'erased' && row.waiting ? agentStates.pending : agentStates[row.state ?? 'draft'],
  actions: [
    { ...activate, title: msg({ message: 'Let sell again', context: 'an agent' }), from: [4] },
    {
      ...suspend,
      from: [5],
      question: msg`His links do not sell until you let him sell again. What he has earned is still paid.`,
    },
  ],
  story: AgentStory,
  empty: {
    title: msg`No agent yet`,
    line: msg`Who applies in the agents' app stands here. You can also open a customer and let him sell at once.`,
  },
});

function Type({ row }: { row: RowOf<'agent'> }) {
  const { i18n } = useLingui();
  return pick(row, 'type_name', i18n.locale);
}
