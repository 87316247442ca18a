import { useLingui } from '@lingui/react/macro';

const organisationKey = 'org';

/** The organisation that was signed in to last from the platform's own host. */
export function readOrganisation() {
  return localStorage.getItem(organisationKey) ?? '';
}

export function keepOrganisation(unique: string) {
  localStorage.setItem(organisationKey, unique);
}

/** Between two ways to go on. */
export function Or() {
  const { t } = useLingui();
  return (
    <div className="flex items-center gap-3 text-caption text-quiet" aria-hidden>
      <span className="h-px flex-1 bg-border" />
      {t`or`}
      <span className="h-px flex-1 bg-border" />
    </div>
  );
}
