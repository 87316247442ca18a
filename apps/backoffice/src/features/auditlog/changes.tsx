import { useLingui } from '@lingui/react/macro';

/** The fields that were changed, each from what to what. */
export function Changes({ of }: { of: readonly { field: string; before: string; after: string }[] }) {
  const { t } = useLingui();
  if (of.length === 0) return <p className="text-quiet">{t`No field of it is kept.`}</p>;
  return (
    <dl className="grid gap-1">
      {of.map(({ field, before, after }) => (
        <div key={field} className="grid gap-x-4 break-all text-caption sm:grid-cols-[200px_1fr]">
          <dt className="text-quiet">{field}</dt>
          <dd>
            <del className="text-bad-text">{before || '–'}</del> → <ins className="text-ok-text">{after || '–'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
