import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, invalidates } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { type FormEvent, useState } from 'react';
import { type Source, SourceFields } from './source.tsx';

/** Makes a template from an organisation. */
export function TemplateAddPage() {
  const { t } = useLingui();
  useTitle(t`Make a template`);
  const navigate = useNavigate();
  const [names, setNames] = useState({ name_th: '', name_en: '' });
  const [source, setSource] = useState<Source>({ organisation: null, note: '' });
  const [asked, setAsked] = useState(false);
  const again = invalidates('/api/admin/template/list');
  const add = useMutation({
    mutationFn: (org: string) => call('/api/admin/template/add', { ...names, org_id: org, note: source.note }),
    onSuccess: async (...made) => {
      await again(...made);
      await navigate({ to: '/advwsadmin/template_edit/$id', params: { id: made[0].id } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (source.organisation && names.name_th.trim() && names.name_en.trim()) add.mutate(source.organisation.id);
  };
  const missing = (value: string) => (asked && !value.trim() ? t`Enter a name.` : undefined);
  return (
    <div className="mx-auto w-full max-w-[560px] px-4 pb-16 pt-2 sm:px-7">
      <h1 className="text-h1-office font-semibold">{t`Make a template`}</h1>
      <p className="mb-4 mt-1 text-quiet">
        {t`Its colours, tags, packages, questions and texts to agree to are copied, with pictures. Its customers, orders, money, staff and places are not. The organisation’s audit log says that you looked.`}
      </p>
      <Card office className="p-5">
        <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
          <SourceFields source={source} missing={asked} error={add.error} onChange={setSource} />
          <Field label={t`Name in Thai`} error={missing(names.name_th)}>
            <Input
              size="office"
              maxLength={80}
              value={names.name_th}
              onChange={(event) => setNames({ ...names, name_th: event.target.value })}
            />
          </Field>
          <Field label={t`Name in English`} error={missing(names.name_en)}>
            <Input
              size="office"
              maxLength={80}
              value={names.name_en}
              onChange={(event) => setNames({ ...names, name_en: event.target.value })}
            />
          </Field>
          <Button type="submit" wide disabled={add.isPending}>
            {add.isPending ? t`Copying…` : t`Make the template`}
          </Button>
        </form>
      </Card>
    </div>
  );
}
