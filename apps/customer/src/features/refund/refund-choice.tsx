import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { faultSentence } from '@wlv/client/faults';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Checkbox } from '@wlv/ui/checkbox';
import { amount, baht } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Stepper } from '@wlv/ui/stepper';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Option, sliceOf } from './refund.ts';

/** More items than this are counted instead of shown one by one. */
const maxStubs = 6;

/** A voucher of the order and how much of it is refunded; of one that may not be, why. */
export function RefundChoice({
  voucher,
  items,
  closed,
  onChange,
}: {
  voucher: Option;
  items: number;
  /** Why it cannot be chosen now although it may be refunded. */
  closed?: string | undefined;
  onChange: (items: number) => void;
}) {
  const { i18n, t } = useLingui();
  const text = useTexts();
  const name = text(voucher, 'name');
  const { how, kind, items_left: left, items_total: total } = voucher;
  const much = kind === 'baht' ? baht(left) : t`${plural(left, { one: '# time', other: '# times' })}`;
  if (!how || closed)
    return (
      <Head voucher={voucher} quiet line={voucher.refused === 'voucher.refunded' ? much : t`${much} left`}>
        <p className="pb-3.5 text-sm text-muted-foreground">{closed ?? faultSentence(i18n, voucher.refused)}</p>
      </Head>
    );
  if (kind === 'baht' || left === 1)
    return (
      <Head
        voucher={voucher}
        line={t`${much} left`}
        beside={
          <Checkbox aria-label={name} checked={items > 0} onCheckedChange={(is) => onChange(is === true ? left : 0)} />
        }
      />
    );
  if (left > maxStubs || total > maxStubs)
    return (
      <Head
        voucher={voucher}
        line={t`${items} of ${left} that are left`}
        beside={<Stepper name={name} value={items} min={0} max={left} onChange={onChange} />}
      />
    );
  return (
    <Head voucher={voucher} line={t`${items} of ${left} that are left`}>
      <div className="flex gap-2 pb-3.5">
        {Array.from({ length: total }, (_, i) => (
          <Stub key={i} voucher={voucher} at={i} items={items} onChange={onChange} />
        ))}
      </div>
    </Head>
  );
}

function Head({
  voucher,
  line,
  quiet,
  beside,
  children,
}: {
  voucher: Option;
  line: string;
  quiet?: boolean;
  beside?: ReactNode;
  children?: ReactNode;
}) {
  const text = useTexts();
  return (
    <Card className="px-4">
      <div className="flex items-center gap-3.5 py-3.5">
        <Picture
          src={pictureURL(voucher.picture, 160)}
          mark={<Mark size={28} />}
          className={clsx('size-12 shrink-0 rounded-[12px]', quiet && 'grayscale')}
        />
        <div className="min-w-0 flex-1">
          <p className={clsx('text-row font-medium', quiet && 'text-muted-foreground')}>{text(voucher, 'name')}</p>
          <p className="text-caption text-quiet">{line}</p>
        </div>
        {beside}
      </div>
      {children}
    </Card>
  );
}

/** One item as a stub of the ticket. The last ones are refunded first, so the ones before a chosen one may stay, those after it go along. */
function Stub({
  voucher,
  at,
  items,
  onChange,
}: {
  voucher: Option;
  at: number;
  items: number;
  onChange: (items: number) => void;
}) {
  const { t } = useLingui();
  const { items_left: left, items_total: total } = voucher;
  const used = at < total - left;
  const fromLast = total - at;
  const number = at + 1;
  const chosen = !used && fromLast <= items;
  const worth = (sliceOf(voucher, fromLast)?.amount_satang ?? 0) - (sliceOf(voucher, fromLast - 1)?.amount_satang ?? 0);
  if (used)
    return (
      <span className="grid min-h-[72px] min-w-0 flex-1 content-center justify-items-center rounded-touch bg-muted px-1 text-caption text-quiet">
        {t`Gone`}
      </span>
    );
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={t`Number ${number}: ${amount(worth)}`}
      onClick={() => onChange(chosen ? fromLast - 1 : fromLast)}
      className={clsx(
        'grid min-h-[72px] min-w-0 flex-1 content-center justify-items-center gap-0.5 rounded-touch px-1 text-caption',
        chosen ? 'bg-accent text-accent-foreground' : 'shadow-[inset_0_0_0_1px_var(--line)]',
      )}
    >
      <span
        className={clsx(
          'grid size-5 place-items-center rounded-[6px]',
          chosen ? 'bg-primary text-primary-foreground' : 'shadow-[inset_0_0_0_1.5px_var(--line-strong)]',
        )}
      >
        {chosen && <Check aria-hidden className="size-3.5" />}
      </span>
      <span className="text-sm font-semibold tabular-nums">{amount(worth)}</span>
      <span>{t`No. ${number}`}</span>
    </button>
  );
}
