import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Note } from '@wlv/ui/note';
import { ShieldAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { roles } from '../../access/roles.ts';
import { ChoiceField, TextField } from '../../form/fields.tsx';
import { LookupField } from '../../form/lookup-fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { word } from '../../resource/cells.tsx';
import { useLookup } from '../../resource/lookup.ts';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { InviteButton, LineSignIn } from './invitation.tsx';
import { SecondFactor } from './second-factor.tsx';

export const staff = defineResource<'staff'>({
  table: 'staff',
  module: 'staff',
  path: 'stafflist',
  menu: { group: 'staff', place: 10 },
  title: msg`Staff`,
  one: msg`account`,
  name: (row) => row.name ?? '',
  code: (row) => row.username,
  picture: () => null,
  shape: 'person',
  columns: [
    word('role', msg`Rights`, roles),
    { name: 'permission_id', title: msg`Permission set`, cell: PermissionSet },
    word(
      'line',
      msg`Signs in by`,
      { true: { title: msg`LINE or password` }, false: { title: msg`Password` } },
      { sorts: false },
    ),
  ],
  look: (row) => (row.status === 1 ? { title: msg`Invited`, tone: 'warn' } : null),
  beside: InviteButton,
  filters: [statusFilter, { name: 'permission_id', title: msg`Permission set`, kind: 'lookup', table: 'permission' }],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: { username: '', name: '', role: 'user', permission_id: null, email: '', password: '' },
    check: ({ role, permission_id }) =>
      role === 'user' && !permission_id ? { permission_id: 'field.required' as const } : {},
  },
  empty: {
    title: msg`No account yet`,
    line: msg`Give each person an account of their own, with the rights they need.`,
  },
});

function PermissionSet({ row }: { row: RowOf<'staff'> }) {
  const { label } = useLookup('permission');
  return row.role === 'user' && row.permission_id ? (label(row.permission_id) ?? '') : '–';
}

function Fields({ fresh }: { fresh: boolean }) {
  const { t } = useLingui();
  const role = useWatch({ name: 'role' });
  return (
    <>
      <TextField name="name" label={t`Name`} />
      <TextField name="username" label={t`User name`} help={t`Letters, digits and . _ @ -`} />
      <TextField
        name="password"
        type="password"
        autoComplete="new-password"
        label={fresh ? t`First password` : t`New password`}
        help={
          fresh
            ? t`The person can change it after signing in.`
            : t`Empty: it stays. A new one signs the person out everywhere.`
        }
      />
      <TextField
        name="email"
        type="email"
        label={t`E-mail`}
        help={t`Where a link goes if the password is forgotten. May stay empty.`}
      />
      <ChoiceField
        name="role"
        label={t`Rights`}
        options={[
          { value: 'user', label: t`By permission set` },
          { value: 'admin', label: t`Administrator, everything` },
          { value: 'adminowner', label: t`Owner's deputy, everything` },
          { value: 'superadmin', label: t`Owner, everything` },
        ]}
      />
      {role === 'user' ? (
        <LookupField name="permission_id" table="permission" label={t`Permission set`} />
      ) : (
        <Note tone="warn" icon={<ShieldAlert aria-hidden />}>
          {t`This account may do everything, giving rights to others included.`}
        </Note>
      )}
      {!fresh && <LineSignIn />}
      {!fresh && <SecondFactor />}
    </>
  );
}
