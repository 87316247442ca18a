import type { ReactNode } from 'react';

/** What is known of a record, a line each; what is not known is a dash. */
export function Facts({ of }: { of: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="divide-y">
      {of.map(([name, value], i) => (
        <div key={i} className="flex justify-between gap-6 py-2.5">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 break-words text-right font-medium">{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
