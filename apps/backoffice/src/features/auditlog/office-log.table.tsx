import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { accounts, objects, officeActions } from '../../record/log-words.ts';
import { instant, text, word } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

const LogFacts = lazy(() => import('./log-facts.tsx'));

const titled = (words: Record<string, MessageDescriptor>) =>
  Object.fromEntries(Object.entries(words).map(([value, title]) => [value, { title }]));

/** Who changed what in the organisation, newest first; nobody changes a line of it. */
export const officeLog = defineResource<'auditlog'>({
  table: 'auditlog',
  module: 'auditlog',
  path: 'auditlog',
  grows: true,
  menu: { group: 'staff', place: 25 },
  title: msg`Audit log`,
  one: msg`line`,
  name: (row) => row.actor_name || { words: accounts[row.actor_kind ?? ''] ?? msg`Somebody` },
  columns: [
    word('action', msg`What was done`, titled(officeActions) as never, { sorts: false }),
    word('object', msg`Of what`, titled(objects) as never, { sorts: false }),
    instant('at', msg`When`),
    word('actor_kind', msg`By`, titled(accounts) as never, { sorts: false }),
    text('about', msg`Id`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'actor_kind',
      title: msg`By`,
      kind: 'choice',
      choices: Object.entries(accounts).map(([value, title]) => ({ value, title })),
    },
    { name: 'actor_id', title: msg`Person`, kind: 'lookup', table: 'staff' },
    { name: 'at', title: msg`When`, kind: 'instant' },
  ],
  facts: LogFacts,
  empty: { title: msg`Nothing was changed yet`, line: msg`Who changes what in this office stands here.` },
});
