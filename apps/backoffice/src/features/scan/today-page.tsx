import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { baht, time } from '@wlv/ui/format';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { EmptyState } from '@wlv/ui/state';
import { ScanLine, TicketCheck } from 'lucide-react';
import { ScanMenu } from './scan-menu.tsx';
import { useServicePoint } from './service-point.ts';
import { ServicePointChoice } from './service-point-choice.tsx';

/** What was used here today, latest first. */
export function TodayPage() {
  const { t } = useLingui();
  const text = useTexts();
  useTitle(t`Used today`);
  const { servicePoints, servicePoint, choose } = useServicePoint();
  return (
    <main id="content" className="mx-auto grid max-w-[760px] grid-cols-1 gap-4 px-4 pb-28 pt-3">
      <div className="flex items-center gap-2">
        <ScanMenu />
        <div className="min-w-0">
          <h1 className="text-h1 font-semibold">{t`Used today`}</h1>
          {servicePoint && <p className="truncate text-caption text-quiet">{text(servicePoint, 'name')}</p>}
        </div>
      </div>
      {servicePoint ? (
        <Uses servicePoint={servicePoint.id} />
      ) : (
        <ServicePointChoice servicePoints={servicePoints} servicePoint={undefined} onChoose={choose} />
      )}
      <div className="fixed inset-x-0 bottom-0 bg-card px-4 pb-6 pt-3 shadow-foot">
        <Button asChild wide className="mx-auto flex max-w-[760px]">
          <Link to="/staff/scanqrcode">
            <ScanLine aria-hidden />
            {t`Scan`}
          </Link>
        </Button>
      </div>
    </main>
  );
}

function Uses({ servicePoint }: { servicePoint: string }) {
  const { t } = useLingui();
  const uses = useQuery({
    ...query('/api/staff/get/activevoucher', { service_point_id: servicePoint }),
    refetchInterval: 30_000,
  });
  if (uses.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (uses.isError) {
    return <Failure title={t`Today's list did not load`} error={uses.error} onRetry={() => void uses.refetch()} />;
  }
  if (!uses.data.data.length) {
    return <EmptyState title={t`Nobody has come yet today`} line={t`Each voucher you confirm will stand here.`} />;
  }
  return (
    <Card className="divide-y px-4 py-1">
      {uses.data.data.map((use) => (
        <UseRow key={use.id} use={use} />
      ))}
    </Card>
  );
}

function UseRow({ use }: { use: Row<'/api/staff/get/activevoucher'> }) {
  const text = useTexts();
  return (
    <div className="flex items-center gap-3.5 py-3">
      <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-ok-soft text-ok-text">
        <TicketCheck aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{text(use, 'name')}</span>
        <span className="block truncate text-caption text-quiet">
          {use.customer_name} · {use.staff}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block text-row font-semibold">
          {use.kind === 'baht' ? baht(use.items) : <Plural value={use.items} one="# time" other="# times" />}
        </span>
        <span className="block text-caption text-quiet">{time(use.at)}</span>
      </span>
    </div>
  );
}
