import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { nextUseOf, useNextUse } from '@wlv/client/next-use';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { Info, QrCode } from 'lucide-react';
import { useState } from 'react';
import { useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { HowMany } from '../../shop/how-many.tsx';
import { NoServicePoints } from './no-service-points.tsx';
import { ServicePointChoice } from './service-point-choice.tsx';
import { lastServicePoint, useOpenSession } from './use-session.ts';
import type { VoucherDetail } from './voucher.ts';

export function UsePage() {
  const { t } = useLingui();
  const { voucherId = '' } = useParams<'voucherId'>();
  const voucher = useQuery(query('/api/user/voucher/detail', { id: voucherId }));
  return (
    <InnerPage title={t`Use the voucher`} parent={`activevoucher/${voucherId}`} foot>
      {voucher.isPending && <Skeleton className="h-[340px] rounded-card" />}
      {voucher.isError && (
        <Failure title={t`The voucher did not load`} error={voucher.error} onRetry={() => void voucher.refetch()} />
      )}
      {voucher.data && (voucher.data.where.length ? <UseForm voucher={voucher.data} /> : <NoServicePoints />)}
    </InnerPage>
  );
}

/** Where and how many; only then does the QR's time begin to run. */
function UseForm({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  const { go } = useArea();
  const text = useTexts();
  const open = useOpenSession();
  const [place, setPlace] = useState(() =>
    voucher.where.length === 1 ? voucher.where[0]?.id : lastServicePoint(voucher.where),
  );
  const [items, setItems] = useState(voucher.kind === 'baht' ? voucher.items_left : 1);
  const [asked, setAsked] = useState(false);
  const conditions = [text(voucher, 'usable'), text(voucher, 'conditions')].filter(Boolean).join('\n');
  const enough = items >= 1 && items <= voucher.items_left;

  const submit = () => {
    setAsked(true);
    if (!place || !enough) return;
    open.mutate(
      { voucher_id: voucher.id, service_point_id: place, items },
      { onSuccess: () => void go(`activevoucher/${voucher.id}/qr`, {}, { replace: true }) },
    );
  };

  return (
    <div className="grid grid-cols-1 gap-5">
      <Ticket
        stub={72}
        foot={
          <HowMany
            voucher={voucher}
            name={voucher.kind === 'baht' ? t`Amount to use` : t`How many now`}
            items={items}
            onChange={setItems}
            wrong={asked && !enough}
          />
        }
      >
        <div className="flex items-center gap-3.5 px-4 pb-3.5 pt-3.5">
          <Picture
            src={pictureURL(voucher.picture, 160)}
            mark={<Mark size={32} />}
            className="size-[52px] shrink-0 rounded-[12px]"
          />
          <p className="line-clamp-2 min-w-0 flex-1 font-medium">{text(voucher, 'name')}</p>
        </div>
      </Ticket>
      <ServicePointChoice places={voucher.where} value={place} onChange={setPlace} missing={asked && !place} />
      {conditions && (
        <Note tone="brand" icon={<Info aria-hidden />} title={t`Conditions of use`}>
          <span className="whitespace-pre-line">{conditions}</span>
        </Note>
      )}
      <FaultNote error={open.error}>
        <Next error={open.error} />
      </FaultNote>
      <p className="px-1 text-caption text-quiet">
        {t`The QR lasts 10 minutes. If nobody scans it, the voucher goes back to ready and nothing is used.`}
      </p>
      <ActionFoot>
        <Button wide disabled={open.isPending} aria-busy={open.isPending} onClick={submit}>
          <QrCode aria-hidden />
          {open.isPending ? t`One moment…` : t`Show the QR`}
        </Button>
      </ActionFoot>
    </div>
  );
}

/** Why the place is closed, and when the voucher can be used next. */
function Next({ error }: { error: unknown }) {
  const text = useTexts();
  const sentence = useNextUse();
  const next = nextUseOf(error);
  if (!next) return null;
  return <span className="block">{[text(next, 'reason'), sentence(next)].filter(Boolean).join(' · ')}</span>;
}
