import { useLingui } from '@lingui/react/macro';
import { ApiError } from '@wlv/client/api-error';
import { FaultNote } from '@wlv/client/fault-note';
import { Field, FormError } from '@wlv/ui/field';
import { Textarea } from '@wlv/ui/input';
import { type Chosen, OrganisationField } from '../../record/organisation-field.tsx';

export interface Source {
  organisation: Chosen | null;
  note: string;
}

/** From which organisation a version is made, and what is new in it. */
export function SourceFields({
  source,
  missing,
  error,
  onChange,
}: {
  source: Source;
  missing: boolean;
  error: Error | null;
  onChange: (source: Source) => void;
}) {
  const { t } = useLingui();
  const refused = error instanceof ApiError ? error.fields.find(({ path }) => path === 'org_id') : undefined;
  return (
    <>
      <OrganisationField
        chosen={source.organisation}
        missing={missing}
        onChoose={(organisation) => onChange({ ...source, organisation })}
      />
      {refused && (
        <FormError>
          {refused.fault === 'field.too_small'
            ? t`This organisation has no package on sale. Choose another one.`
            : t`This organisation has more than 200 packages, tags or questions. Choose a smaller one.`}
        </FormError>
      )}
      <Field label={t`What is new`} help={t`For the platform’s own people.`}>
        <Textarea
          rows={2}
          maxLength={200}
          value={source.note}
          onChange={(event) => onChange({ ...source, note: event.target.value })}
        />
      </Field>
      {!refused && <FaultNote error={error} />}
    </>
  );
}
