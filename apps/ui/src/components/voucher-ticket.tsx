import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { amount } from '../format/format.ts';
import { Remaining } from './meter.tsx';
import { Picture } from './picture.tsx';
import { Skeleton } from './skeleton.tsx';
import { Ticket } from './ticket.tsx';

/** A voucher in the list: picture, state, name and place above; what is left, until when, and the button below. */
export function VoucherTicket({
  name,
  place,
  picture,
  mark,
  chip,
  kind,
  left,
  total,
  expiry,
  action,
  link,
}: {
  name: string;
  place: ReactNode;
  picture: string | null;
  mark?: ReactNode;
  chip: ReactNode;
  kind: 'item' | 'baht';
  /** Items, or satang where the kind is baht. */
  left: number;
  total: number;
  expiry: ReactNode;
  action?: ReactNode;
  link: (content: ReactNode) => ReactNode;
}) {
  const { t } = useLingui();
  const money = amount(left);
  return (
    <Ticket
      stub={62}
      foot={
        <>
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              <Remaining left={left} total={total} kind={kind} />
              <span className="truncate text-caption font-medium">
                {kind === 'baht' ? t`฿${money} left` : t`${left} of ${total} left`}
              </span>
            </div>
            <div className="truncate text-caption text-quiet">{expiry}</div>
          </div>
          <span className="relative">{action}</span>
        </>
      }
    >
      <div className="flex items-start gap-3.5 px-4 pb-3 pt-3.5">
        <Picture src={picture} mark={mark} className="size-[84px] shrink-0 rounded-tile" />
        <div className="min-w-0 flex-1">
          <div className="mb-[3px] flex h-[26px] gap-2">{chip}</div>
          <h3 className="line-clamp-2 text-base font-medium leading-[25px]">
            {link(
              <>
                <span aria-hidden className="absolute inset-0" />
                {name}
              </>,
            )}
          </h3>
          <p className="truncate text-caption text-quiet">{place}</p>
        </div>
      </div>
    </Ticket>
  );
}

export function VoucherTicketSkeleton() {
  return (
    <Ticket
      stub={62}
      foot={
        <>
          <div className="grid grid-cols-1 flex-1 gap-2">
            <Skeleton className="h-3.5 w-[120px]" />
            <Skeleton className="h-3 w-[90px]" />
          </div>
          <Skeleton className="h-9 w-[76px] rounded-small" />
        </>
      }
    >
      <div className="flex items-start gap-3.5 px-4 pb-3 pt-3.5">
        <Skeleton className="size-[84px] shrink-0 rounded-tile" />
        <div className="grid grid-cols-1 flex-1 gap-2.5 pt-0.5">
          <Skeleton className="h-6 w-[82px]" />
          <Skeleton className="h-4" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      </div>
    </Ticket>
  );
}
