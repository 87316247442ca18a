import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import type { AnyFault } from '@wlv/client/faults';
import { useTitle } from '@wlv/client/page';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Note } from '@wlv/ui/note';
import { Check, ChevronLeft, CircleAlert } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { areas, useArea } from '../../area.ts';
import { FormPathContext, TextField } from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { Elsewhere } from '../../shell/elsewhere.tsx';

interface Passwords {
  old_password: string;
  password: string;
  again: string;
}

const path = '/api/owner/password/change';
const ofStaff = '/api/staff/password/change';

/** One's own password. The server ends every session of the account, this one too. */
export function PasswordPage() {
  const { t } = useLingui();
  const { hasPassword } = usePerson();
  const area = useArea();
  if (area === 'admin' || !hasPassword) return <Elsewhere to={areas[area].home} />;
  if (area === 'owner') return <PasswordForm area="owner" />;
  return (
    <main id="content" className="mx-auto grid max-w-[520px] gap-3 px-4 pb-16 pt-3">
      <Link to={areas.staff.home} className="flex min-h-11 items-center gap-1 text-muted-foreground">
        <ChevronLeft aria-hidden className="size-4" />
        {t`Scan`}
      </Link>
      <PasswordForm area="staff" />
    </main>
  );
}

function PasswordForm({ area }: { area: 'owner' | 'staff' }) {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const client = useQueryClient();
  useTitle(t`Change password`);
  const { form, saving, error, submit } = useOfficeForm<Passwords, unknown>({
    limits: path,
    values: { old_password: '', password: '', again: '' },
    check: ({ password, again }): Partial<Record<string, AnyFault>> =>
      password === again ? {} : { again: 'client.passwords_differ' },
    send: ({ old_password, password }) =>
      call(area === 'owner' ? path : ofStaff, { old_password, password }, { as: area }),
    onSaved: () => {
      session.forget(area);
      client.clear();
      router.history.replace(`${areas[area].entry}?reason=password`);
    },
  });
  const wrong = error instanceof ApiError && error.fault === 'staff.wrong_password';

  return (
    <FormProvider {...form}>
      <FormPathContext value={path}>
        <form
          noValidate
          className="max-w-[520px]"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <h1 className="text-h1-office font-semibold">{t`Change password`}</h1>
          <p className="mb-4 text-muted-foreground">{t`Afterwards you sign in anew, on every device.`}</p>
          {error && (
            <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="mb-4">
              {wrong ? t`The present password is not right.` : errorSentence(i18n, error)}
            </Note>
          )}
          <Card office className="grid gap-4 p-5">
            <TextField
              name="old_password"
              type="password"
              autoComplete="current-password"
              label={t`Present password`}
            />
            <TextField name="password" type="password" autoComplete="new-password" label={t`New password`} />
            <TextField name="again" type="password" autoComplete="new-password" label={t`The new one again`} />
          </Card>
          <Button type="submit" size="office" className="mt-4" disabled={saving}>
            <Check aria-hidden />
            {saving ? t`Saving…` : t`Change password`}
          </Button>
        </form>
      </FormPathContext>
    </FormProvider>
  );
}
