import { msg } from '@lingui/core/macro';
import { activate, suspend } from '../../resource/actions.ts';
import { bilingual, day, number } from '../../resource/cells.tsx';
import { defineResource, type RecordOf } from '../../resource/resource.ts';
import { AdjustPoints } from './adjust-points.tsx';
import { MemberFacts } from './member-facts.tsx';
import { WaitingMembers } from './waiting-members.tsx';

type State = RecordOf<'memberlist'>['state'];

const states: Record<State, { title: ReturnType<typeof msg>; tone: 'ok' | 'bad' | 'mute' }> = {
  active: { title: msg({ message: 'Member', context: 'state' }), tone: 'ok' },
  suspended: { title: msg`Suspended`, tone: 'bad' },
  expired: { title: msg({ message: 'Ended', context: 'a member card' }), tone: 'mute' },
  left: { title: msg({ message: 'Has left', context: 'a member' }), tone: 'mute' },
};

export const memberlist = defineResource<'memberlist'>({
  table: 'memberlist',
  module: 'memberlist',
  path: 'memberlist',
  menu: { group: 'members', place: 10, names: ['member'] },
  title: msg`Members`,
  one: msg`member`,
  name: (row) => row.name ?? '',
  code: (row) => row.number,
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    bilingual('type_name', msg`Card type`),
    day('since', msg`Member since`),
    day('ends_on', msg`Valid until`),
    number('points', msg`Points`, { sorts: false }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(states).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'card_type_id', title: msg`Card type`, kind: 'lookup', table: 'membercardtype' },
    { name: 'ends_on', title: msg`Valid until`, kind: 'day', coming: true },
    { name: 'since', title: msg`Member since`, kind: 'day' },
  ],
  look: (row) => (row.state ? states[row.state] : null),
  actions: [
    { ...activate, title: msg({ message: 'Lift the suspension', context: 'a member' }), from: [4] },
    {
      ...suspend,
      from: [5],
      question: msg`The card cannot be used until you lift the suspension. Its days run on.`,
    },
  ],
  aside: WaitingMembers,
  facts: MemberFacts,
  extra: AdjustPoints,
  empty: {
    title: msg`No member yet`,
    line: msg`Customers register in your app, once you offer a card type. Who waits for your answer stands here.`,
  },
});
