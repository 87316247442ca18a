import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { useDeferredValue, useState } from 'react';
import { useMayCall } from '../access/admin-right.ts';

export interface Chosen {
  id: string;
  name: string;
}

/** Chooses an organisation by its name. */
export function OrganisationField({
  chosen,
  missing,
  onChoose,
}: {
  chosen: Chosen | null | undefined;
  missing: boolean;
  onChoose: (one: Chosen | null) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const mayList = useMayCall()('/api/admin/organize/list');
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    ...query('/api/admin/organize/list', { limit: 6, sort: 'name_th', search }),
    enabled: mayList && search !== '',
  });
  if (chosen) {
    return (
      <div className="flex items-center justify-between gap-3">
        <div>
          <p className="text-caption text-quiet">{t`Organisation`}</p>
          <p className="font-medium">{chosen.name}</p>
        </div>
        <Button type="button" size="office" variant="ghost" onClick={() => onChoose(null)}>{t`Another one`}</Button>
      </div>
    );
  }
  if (!mayList) {
    return (
      <p className="text-quiet">
        {t`Choose the organisation in the list of staff first:`}{' '}
        <Link to="/advwsadmin/staff_list" className="text-brand-text underline underline-offset-4">
          {t`Staff of all organisations`}
        </Link>
      </p>
    );
  }
  return (
    <div className="grid gap-1">
      <Field label={t`Organisation`} error={missing ? t`Choose an organisation.` : undefined}>
        <Input
          size="office"
          value={typed}
          maxLength={80}
          autoComplete="off"
          placeholder={t`Search by name`}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <ul>
        {found.data?.data.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="w-full rounded-control px-3 py-2 text-left hover:bg-muted"
              onClick={() => onChoose({ id: one.id, name: text(one, 'name') })}
            >
              {text(one, 'name')}
            </button>
          </li>
        ))}
      </ul>
      {search && found.data?.data.length === 0 && <p className="text-caption text-quiet">{t`Nothing that fits`}</p>}
      <FaultNote error={found.error} />
    </div>
  );
}
