import { queryOptions } from '@tanstack/react-query';
import { call, type Detail, type Path } from '@wlv/client/call';

/** The tables whose records have a page of their own. */
export type StoryTable = { [P in Path]: P extends `/api/owner/story/${infer T}` ? T : never }[Path];

/** What happened to one record, and where its money is. */
export type StoryOf<T extends StoryTable> = Detail<`/api/owner/story/${T}`>;

export type StoryEvent = StoryOf<'orders'>['events'][number];
export type StorySums = StoryOf<'orders'>['money'];

export function storyQuery(table: StoryTable, id: string) {
  const path = `/api/owner/story/${table}` as const;
  return queryOptions({
    queryKey: [path, { id }] as const,
    queryFn: ({ signal }) => call(path as '/api/owner/story/orders', { id }, { signal }) as Promise<unknown>,
  });
}
