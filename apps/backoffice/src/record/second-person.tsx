import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Note } from '@wlv/ui/note';
import { Users } from 'lucide-react';

/** That something waits for a second person, with the way to where it does. */
export function SecondPerson({ approval }: { approval: string }) {
  const { t } = useLingui();
  return (
    <Note tone="info" icon={<Users aria-hidden />} title={t`A second person has to approve it`}>
      <Link
        to="/owner/$screen/$id"
        params={{ screen: 'approval', id: approval }}
        className="font-medium text-brand-text hover:underline"
      >
        {t`See where it waits`}
      </Link>
    </Note>
  );
}
