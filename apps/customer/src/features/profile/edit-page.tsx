import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { type Body, type Detail, invalidates, mutation } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useHold } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { type FormEvent, useState } from 'react';
import { useArea } from '../../area.tsx';
import { isEmail } from '../../shell/email.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { useProfile } from '../../shell/profile.ts';

type Form = Body<'/api/user/profile/save'>;
type Problems = Partial<Record<keyof Form, string>>;

export function EditProfilePage() {
  const { t } = useLingui();
  const profile = useProfile();
  return (
    <InnerPage title={t`Edit profile`} parent="profile" foot>
      {profile.isPending && <Skeleton className="h-80 rounded-card" />}
      {profile.isError && (
        <Failure title={t`Your profile did not load`} error={profile.error} onRetry={() => void profile.refetch()} />
      )}
      {profile.data && <ProfileForm profile={profile.data} />}
    </InnerPage>
  );
}

/** Limits of the specification. */
function useProblems(form: Form): Problems {
  const { t } = useLingui();
  const problems: Problems = {};
  if (!form.firstname.trim()) problems.firstname = t`Enter your first name.`;
  if (!form.emailaddress.trim()) problems.emailaddress = t`Enter your e-mail address.`;
  else if (!isEmail(form.emailaddress)) {
    problems.emailaddress = t`Please enter a valid email address.`;
  }
  return problems;
}

function ProfileForm({ profile }: { profile: Detail<'/api/user/profile/customer'> }) {
  const { t } = useLingui();
  const { go } = useArea();
  const [form, setForm] = useState<Form>({
    firstname: profile.firstname,
    lastname: profile.lastname,
    emailaddress: profile.emailaddress,
    gender: profile.gender,
  });
  const [asked, setAsked] = useState(false);
  const save = useMutation({
    ...mutation('/api/user/profile/save'),
    onSuccess: invalidates('/api/user/profile/customer'),
  });
  const problems = useProblems(form);
  const changed = (Object.keys(form) as (keyof Form)[]).some((field) => form[field] !== profile[field]);

  useHold(
    changed && !save.isSuccess,
    () => save.isPending || window.confirm(t`You have changes that are not saved. Leave without saving?`),
  );

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(problems).length) return focusFirstProblem(event.currentTarget);
    save.mutate(form, {
      onSuccess: () => {
        toast({ tone: 'ok', title: t`Saved` });
        void go('profile', {}, { replace: true });
      },
    });
  };

  const labels = {
    firstname: t`First name`,
    lastname: t`Last name`,
    emailaddress: t`E-mail`,
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4 pt-1" onSubmit={submit}>
      {fields.map(({ name, ...input }) => (
        <Field key={name} label={labels[name]} error={asked ? problems[name] : undefined}>
          <Input
            {...input}
            name={name}
            value={form[name]}
            onChange={(event) => setForm({ ...form, [name]: event.target.value })}
          />
        </Field>
      ))}
      <FaultNote error={save.error}>
        {save.error instanceof ApiError &&
          save.error.fields.map((f) => labels[f.path as keyof typeof labels]).join(', ')}
      </FaultNote>
      <ActionFoot>
        <Button type="submit" wide disabled={save.isPending || !changed}>
          {save.isPending ? t`Saving…` : t`Save`}
        </Button>
      </ActionFoot>
    </form>
  );
}

const fields = [
  { name: 'firstname', maxLength: 40, autoComplete: 'given-name' },
  { name: 'lastname', maxLength: 40, autoComplete: 'family-name' },
  { name: 'emailaddress', maxLength: 60, inputMode: 'email', autoComplete: 'email' },
] as const;

function focusFirstProblem(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}
