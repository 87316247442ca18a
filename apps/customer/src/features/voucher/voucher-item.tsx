import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { VoucherTicket } from '@wlv/ui/voucher-ticket';
import { clsx } from 'clsx';
import { QrCode } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { endsSoon, useExpiry, useVoucherState, type Voucher } from './voucher.ts';

/** A voucher, or several that were made of one: its page leads to the others. */
export function VoucherItem({ vouchers }: { vouchers: [Voucher, ...Voucher[]] }) {
  const { t } = useLingui();
  const [voucher] = vouchers;
  const several = vouchers.length > 1;
  const sum = (of: (one: Voucher) => number) => vouchers.reduce((all, one) => all + of(one), 0);
  const text = useTexts();
  const { word, tone } = useVoucherState(voucher);
  const expiry = useExpiry(voucher);
  const ready = voucher.state === 'ready';
  const usable = ready && voucher.service_points > 0;
  return (
    <VoucherTicket
      name={text(voucher, 'name')}
      place={<PlaceLine voucher={voucher} />}
      picture={pictureURL(voucher.picture, 240)}
      mark={<Mark />}
      chip={
        <>
          <Chip tone={tone}>{word}</Chip>
          {several && (
            <Chip tone="mute">
              <Plural value={vouchers.length} one="# voucher" other="# vouchers" />
            </Chip>
          )}
        </>
      }
      kind={voucher.kind}
      left={sum((one) => one.items_left)}
      total={several ? sum((one) => one.items_own) : voucher.items_total}
      expiry={<span className={clsx(ready && endsSoon(voucher) && 'font-medium text-warn-text')}>{expiry}</span>}
      link={(content) => <AreaLink page={`activevoucher/${voucher.id}`}>{content}</AreaLink>}
      action={
        usable && (
          <Button asChild variant="soft" size="xs">
            <AreaLink page={`activevoucher/${voucher.id}/use`}>
              <QrCode aria-hidden />
              {t`Use`}
            </AreaLink>
          </Button>
        )
      }
    />
  );
}

function PlaceLine({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  if (!voucher.service_points) return t`No place takes it now`;
  return voucher.service_points === 1 ? t`At one place only` : t`Use it at ${voucher.service_points} places`;
}
