import { useLingui } from '@lingui/react/macro';
import { Chip } from '@wlv/ui/chip';
import { useStatusNames } from './names.ts';
import type { AnyResource, AnyRow } from './resource.ts';

/** A row's state as a coloured word: the resource's own look at it, else what the organisation calls the number. */
export function StatusChip({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const { i18n } = useLingui();
  const names = useStatusNames(resource.table);
  const look = resource.look?.(row);
  if (look) return <Chip tone={look.tone}>{i18n._(look.title)}</Chip>;
  if (row.status === undefined) return null;
  const { name, tone } = names(row.status);
  return (
    <Chip tone={tone}>
      <span className="max-w-40 truncate">{name}</span>
    </Chip>
  );
}
