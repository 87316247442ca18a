import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '@wlv/client/failure';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { Suspense } from 'react';
import type { AnyResource } from '../resource/resource.ts';
import { type StoryTable, storyQuery } from './story.ts';

/** The page of one record, with an address of its own. */
export function RecordPage({ resource, id }: { resource: AnyResource; id: string }) {
  const { t } = useLingui();
  const story = useQuery(storyQuery(resource.table as StoryTable, id));
  const Story = resource.story;
  if (!Story) return null;
  if (story.isError) {
    return (
      <Card office className="mt-2">
        <Failure title={t`This did not load`} error={story.error} onRetry={() => void story.refetch()} />
      </Card>
    );
  }
  if (story.isPending) return <RecordSkeleton />;
  return (
    <Suspense fallback={<RecordSkeleton />}>
      <Story story={story.data} resource={resource} />
    </Suspense>
  );
}

/** A record's head, and its two columns below it. */
function RecordSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="mb-4 mt-2 h-5 w-80 max-w-full" />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_344px]">
        <div className="grid grid-cols-1 content-start gap-4">
          <Skeleton className="h-28 rounded-office" />
          <Skeleton className="h-[420px] rounded-office" />
        </div>
        <div className="grid grid-cols-1 content-start gap-4">
          <Skeleton className="h-36 rounded-office" />
          <Skeleton className="h-48 rounded-office" />
        </div>
      </div>
    </div>
  );
}
