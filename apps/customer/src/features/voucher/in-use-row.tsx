import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { countdown } from '@wlv/ui/format';
import { QrCode } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import type { Voucher } from './voucher.ts';

/** A voucher in use rides on top, with the minutes that its QR still has. */
export function InUseRow({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  const text = useTexts();
  const now = useNow();
  const name = text(voucher, 'name');
  const place = voucher.use_session ? text(voucher.use_session, 'service_point_name') : '';
  const left = countdown((Date.parse(voucher.use_session?.expires_at ?? '') - now) / 1000);
  return (
    <div className="flex items-center gap-3 rounded-office bg-primary px-3.5 py-3 text-primary-foreground">
      <QrCode aria-hidden className="size-6 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-caption font-medium">{t`In use · ${place}`}</p>
        <p className="line-clamp-2 text-row font-semibold">{name}</p>
        <p className="text-caption">{t`${left} minutes left`}</p>
      </div>
      <AreaLink
        page={`activevoucher/${voucher.id}/qr`}
        className="flex h-9 shrink-0 items-center rounded-small bg-primary-foreground px-[13px] text-sm font-semibold text-primary"
      >{t`Open QR`}</AreaLink>
    </div>
  );
}
