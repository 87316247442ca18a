import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input, Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { CircleCheck, Send } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useState } from 'react';

const paths = { platform: '/api/public/contact/send', shop: '/api/user/contact/send' } as const;

const blank = { name: '', email: '', phone: '', subject: '', text: '' };
type Name = keyof typeof blank;

/** A message to the shop, or on the platform's own host to the platform. */
export function ContactForm({ to }: { to: keyof typeof paths }) {
  const { t, i18n } = useLingui();
  // The key belongs to these words: sent again as they are, they are one message.
  const [{ values, key }, setDraft] = useState(() => ({ values: blank, key: crypto.randomUUID() }));
  const [asked, setAsked] = useState(false);
  const send = useMutation({ mutationFn: () => call(paths[to], values, { idempotencyKey: key }) });

  const problems: Partial<Record<Name, string>> = {};
  if (!values.name.trim()) problems.name = t`Enter your name.`;
  if (!values.email.trim() && !values.phone.trim()) problems.email = t`Enter your e-mail address or your phone number.`;
  if (!values.subject.trim()) problems.subject = t`Enter what it is about.`;
  if (!values.text.trim()) problems.text = t`Enter your message.`;
  const refused = send.error instanceof ApiError ? send.error.fields : [];
  const problem = (name: Name) => {
    if (asked && problems[name]) return problems[name];
    const fault = refused.find(({ path }) => path === name)?.fault;
    return fault && faultSentence(i18n, fault as Parameters<typeof faultSentence>[1]);
  };
  const field = (name: Name) => ({
    name,
    value: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setDraft({ values: { ...values, [name]: target.value }, key: crypto.randomUUID() }),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!Object.keys(problems).length) send.mutate();
  };

  if (send.isSuccess) {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />} title={t`We have your message`}>
        {t`It is kept with the e-mail address or phone number you gave, by which you can be answered.`}
      </Note>
    );
  }
  return (
    <Card className="p-5">
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <h2 className="text-h2 font-semibold">{to === 'shop' ? t`Write to the shop` : t`Write to us`}</h2>
        <Field label={t`Name`} error={problem('name')}>
          <Input {...field('name')} maxLength={120} autoComplete="name" />
        </Field>
        <Field label={t`E-mail`} help={t`E-mail or phone, one is enough.`} error={problem('email')}>
          <Input {...field('email')} maxLength={254} inputMode="email" autoComplete="email" />
        </Field>
        <Field label={t`Phone`} error={problem('phone')}>
          <Input {...field('phone')} maxLength={30} inputMode="tel" autoComplete="tel" />
        </Field>
        <Field label={t`Subject`} error={problem('subject')}>
          <Input {...field('subject')} maxLength={150} autoComplete="off" />
        </Field>
        <Field label={t`Message`} error={problem('text')}>
          <Textarea {...field('text')} rows={6} maxLength={4000} />
        </Field>
        {send.isError && !refused.length && <FaultNote error={send.error} />}
        <Button type="submit" wide disabled={send.isPending}>
          <Send aria-hidden />
          {send.isPending ? t`Sending…` : t`Send`}
        </Button>
      </form>
    </Card>
  );
}
