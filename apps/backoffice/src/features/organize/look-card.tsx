import { useLingui } from '@lingui/react/macro';
import { type Body, call } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Check } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { ColourField } from '../../form/colours.tsx';
import { BothLanguages, FormPathContext } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { useTakeOrganisation } from './changes.ts';
import { LogoField } from './logo-field.tsx';
import type { Organisation } from './organisation.ts';

const path = '/api/admin/organize/setting/save';

/** The fields as the form has them: of the logo a data URL, empty where there is none. */
const valuesOf = (organisation: Organisation) => ({
  id: organisation.id,
  name_th: organisation.name_th,
  name_en: organisation.name_en,
  tagline_th: organisation.tagline_th,
  tagline_en: organisation.tagline_en,
  background_color_primary: organisation.background_color_primary,
  background_color_secondary: organisation.background_color_secondary,
  logo: organisation.logo_url ?? '',
});

/** What is sent: of the logo only what was changed. */
function bodyOf({ logo, ...rest }: ReturnType<typeof valuesOf>, before: string | null): Body<typeof path> {
  if (logo === (before ?? '')) return rest;
  return logo ? { ...rest, logo: logo.replace(/^data:[^,]*,/, '') } : { ...rest, remove_logo: true };
}

/** The names, colours and logo of an organisation. */
export function LookCard({ organisation }: { organisation: Organisation }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { form, saving, changed, error, submit } = useOfficeForm({
    limits: path,
    values: valuesOf(organisation),
    send: (values) => call(path, bodyOf(values, organisation.logo_url)),
    onSaved: useTakeOrganisation(),
  });
  return (
    <FormProvider {...form}>
      <FormPathContext value={path}>
        <FormCard
          title={t`Name and look`}
          line={t`Customers see a change at once, in LINE and on the web.`}
          error={error}
          onSubmit={submit}
        >
          <BothLanguages name="name" label={t`Name`} />
          <BothLanguages name="tagline" label={t`Tagline`} />
          <div className="grid gap-4 sm:grid-cols-2">
            <ColourField name="background_color_primary" label={t`Primary colour`} />
            <ColourField name="background_color_secondary" label={t`Secondary colour`} />
          </div>
          <LogoField />
          {can('organize', 'u') && (
            <Button type="submit" size="office" className="justify-self-end" disabled={saving || !changed}>
              <Check aria-hidden />
              {t`Save`}
            </Button>
          )}
        </FormCard>
      </FormPathContext>
    </FormProvider>
  );
}
