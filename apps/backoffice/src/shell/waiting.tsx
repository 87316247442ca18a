import { Plural } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { usePerson } from '../access/person.ts';
import type { Screen } from '../navigation.ts';
import { listQuery } from '../resource/calls.ts';

/** How many rows of some screens wait for somebody; nothing where none does. A dot where there is no room for it. */
export function Waiting({ screens, dot }: { screens: Screen[]; dot?: boolean }) {
  const { can } = usePerson();
  const asked = screens.filter(({ table, module, menu }) => table && menu.waiting && can(module, 'v'));
  const waiting = useQueries({
    queries: asked.map(({ table, menu }) => ({
      ...listQuery(table as NonNullable<typeof table>, { filter: menu.waiting ?? {}, select: ['id'], limit: 1 }),
      staleTime: 60_000,
    })),
    combine: (answers) => answers.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
  });
  if (waiting === 0) return null;
  if (dot) return <span aria-hidden className="absolute right-2 top-2 size-2.5 rounded-full bg-bad" />;
  return (
    <span className="shrink-0 rounded-full bg-bad-soft px-2 text-caption font-semibold text-bad-text">
      {waiting}{' '}
      <span className="sr-only">
        <Plural value={waiting} one="waits" other="wait" />
      </span>
    </span>
  );
}
