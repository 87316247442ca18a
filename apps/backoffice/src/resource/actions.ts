import { msg } from '@lingui/core/macro';
import { CirclePause, CirclePlay, Trash2 } from 'lucide-react';
import type { StatusAction } from './resource.ts';

export const activate: StatusAction = { status: 5, title: msg`Activate`, icon: CirclePlay };
const deactivate: StatusAction = { status: 2, title: msg`Deactivate`, icon: CirclePause };
export const suspend: StatusAction = {
  status: 4,
  title: msg`Suspend`,
  icon: CirclePause,
  question: msg`Who is suspended can't sign in, buy or sell until you activate the account again.`,
};
export const remove: StatusAction = {
  status: 9,
  title: msg`Delete`,
  icon: Trash2,
  question: msg`It leaves every list. What was sold or used with it stays in the books.`,
};

export const defaultActions = [activate, deactivate, remove];

/** The status filter that every table with a status has. */
export const statusFilter = {
  name: 'status',
  title: msg`State`,
  kind: 'choice',
  number: true,
  choices: [
    { value: '5', title: msg`Active` },
    { value: '2', title: msg`Inactive` },
  ],
} as const;
