import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ApiError } from '@wlv/client/api-error';
import { type Body, call, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { type FormEvent, useState } from 'react';
import { roles } from '../../access/roles.ts';
import { InvitationLink } from '../../record/invitation-link.tsx';
import { type Chosen, OrganisationField } from '../../record/organisation-field.tsx';

const path = '/api/admin/staff/invite';

type Role = Body<typeof path>['role'];

/** Invites somebody to the office of an organisation, with all rights there. */
export function StaffAddPage() {
  const { t } = useLingui();
  useTitle(t`Invite somebody to an organisation`);
  const invite = useMutation({ mutationFn: (values: Body<typeof path>) => call(path, values) });
  return (
    <div className="mx-auto w-full max-w-[560px] px-4 pb-16 pt-2 sm:px-7">
      <h1 className="text-h1-office font-semibold">{t`Invite somebody to an organisation`}</h1>
      <p className="mb-4 mt-1 text-quiet">
        {t`The person opens your link, signs in with LINE and is in the organisation’s office, with all rights. Its owner sees who was invited, and can take the link back. Who shall have fewer rights is invited by the owner.`}
      </p>
      <Card office className="p-5">
        {invite.data ? (
          <div className="grid gap-4">
            <InvitationLink invitation={invite.data} />
            <Button asChild variant="ghost" wide>
              <Link to="/advwsadmin/staff_list">{t`Staff of all organisations`}</Link>
            </Button>
          </div>
        ) : (
          <InviteForm of={invite} onSend={(values) => invite.mutate(values)} />
        )}
      </Card>
    </div>
  );
}

function InviteForm({
  of: { error, isPending },
  onSend,
}: {
  of: { error: Error | null; isPending: boolean };
  onSend: (values: Body<typeof path>) => void;
}) {
  const { t, i18n } = useLingui();
  const [organisation, choose] = useOrganisation();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('superadmin');
  const [asked, setAsked] = useState(false);
  const field = error instanceof ApiError ? error.fields.find((one) => one.path === 'name') : undefined;
  const refused = field && faultSentence(i18n, field.fault);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (organisation && name.trim()) onSend({ org_id: organisation.id, name: name.trim(), role });
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
      <OrganisationField chosen={organisation} missing={asked} onChoose={choose} />
      <Field label={t`Name`} error={asked && !name.trim() ? t`Enter the person's name.` : refused}>
        <Input
          size="office"
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t`Rights`}>
        <Select<Role>
          size="office"
          value={role}
          onChange={setRole}
          options={(['superadmin', 'adminowner', 'admin'] as const).map((value) => ({
            value,
            label: i18n._(roles[value].title),
          }))}
        />
      </Field>
      <FaultNote error={error} />
      <Button type="submit" wide disabled={isPending}>
        {isPending ? t`Making the link…` : t`Make the link`}
      </Button>
    </form>
  );
}

/** The organisation that was chosen, at first the one that the address names; it is called as its staff is listed. */
function useOrganisation() {
  const text = useTexts();
  const { of }: { of?: string } = useSearch({ strict: false });
  const [chosen, choose] = useState<Chosen | null>();
  const named = useQuery({
    ...query('/api/admin/staff/list', { limit: 1, ...(of ? { org_id: of } : {}) }),
    enabled: Boolean(of) && chosen === undefined,
    staleTime: 60_000,
  });
  const row = named.data?.data[0];
  const first = of && row ? { id: of, name: text(row, 'org_name') } : null;
  return [chosen === undefined ? first : chosen, choose] as const;
}
