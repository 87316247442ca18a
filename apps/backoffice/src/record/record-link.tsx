import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { usePerson } from '../access/person.ts';
import { resources } from '../navigation.ts';
import type { Table } from '../resource/resource.ts';

/** A name that leads to its record; plain words for who may not see it. */
export function RecordLink({
  table,
  id,
  className,
  children,
}: {
  table: Table;
  id: string | null | undefined;
  className?: string;
  children: ReactNode;
}) {
  const { can } = usePerson();
  const resource = resources.find((one) => one.table === table);
  if (!id || !resource || !can(resource.module, 'v')) return <span className={className}>{children}</span>;
  return (
    <Link
      to="/owner/$screen/$id"
      params={{ screen: resource.path, id }}
      className={clsx('font-medium text-brand-text hover:underline', className)}
    >
      {children}
    </Link>
  );
}
