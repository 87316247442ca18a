import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Check, ChevronRight, MapPin } from 'lucide-react';
import type { useServicePoint } from './service-point.ts';

/** The list of service points; asked once per device. */
export function ServicePointChoice({
  servicePoints,
  servicePoint,
  onChoose,
}: {
  servicePoints: ReturnType<typeof useServicePoint>['servicePoints'];
  servicePoint: string | undefined;
  onChoose: (id: string) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  if (servicePoints.isPending) return <Skeleton className="h-48 rounded-card" />;
  if (servicePoints.isError) {
    return (
      <Failure
        title={t`Service points did not load`}
        error={servicePoints.error}
        onRetry={() => void servicePoints.refetch()}
      />
    );
  }
  if (!servicePoints.data.data.length) {
    return (
      <EmptyState
        title={t`No service point yet`}
        line={t`The owner adds them under Staff and rights, Service points.`}
      />
    );
  }
  return (
    <Card className="divide-y overflow-hidden">
      {servicePoints.data.data.map((one) => (
        <button
          key={one.id}
          type="button"
          aria-pressed={one.id === servicePoint}
          onClick={() => onChoose(one.id)}
          className="flex min-h-16 w-full items-center gap-3.5 px-4 py-2.5 text-left hover:bg-muted"
        >
          <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground">
            <MapPin aria-hidden className="size-5" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block text-row font-medium">{text(one, 'name')}</span>
            <span className="line-clamp-2 text-caption text-quiet">{text(one, 'address')}</span>
          </span>
          {one.id === servicePoint ? (
            <Check aria-hidden className="size-5 text-brand-text" />
          ) : (
            <ChevronRight aria-hidden className="size-[18px] text-quiet" />
          )}
        </button>
      ))}
    </Card>
  );
}
