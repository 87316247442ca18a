import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { amount, signed } from '../format/format.ts';
import { Skeleton } from './skeleton.tsx';

type Tone = 'brand' | 'ok' | 'warn' | 'info';

const tiles: Record<Tone, string> = {
  brand: 'bg-accent text-accent-foreground',
  ok: 'bg-ok-soft text-ok-text',
  warn: 'bg-warn-soft text-warn-text',
  info: 'bg-info-soft text-info-text',
};

/** One movement of money: its cause, the amount with its sign, and the balance after it. Opens the receipt. */
export function MovementRow({
  icon,
  tone,
  title,
  line,
  satang,
  after,
  className,
  ...props
}: Omit<ComponentProps<'button'>, 'title'> & {
  icon: ReactNode;
  tone: Tone;
  title: ReactNode;
  line: ReactNode;
  satang: number;
  /** Words and amount of the balance after it. */
  after: (amount: string) => ReactNode;
  afterSatang: number;
}) {
  const { afterSatang, ...rest } = props;
  return (
    <button
      data-slot="movement-row"
      type="button"
      className={clsx('flex w-full items-center gap-3.5 px-4 py-[11px] text-left', className)}
      {...rest}
    >
      <span className={clsx('grid size-[42px] shrink-0 place-items-center rounded-tile [&_svg]:size-5', tiles[tone])}>
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{title}</span>
        <span className="block truncate text-caption text-quiet">{line}</span>
      </span>
      <span className="shrink-0 text-right">
        <span className={clsx('block text-row font-semibold', satang > 0 && 'text-ok-text')}>{signed(satang)}</span>
        <span className="block text-caption text-quiet">{after(amount(afterSatang))}</span>
      </span>
    </button>
  );
}

export function MovementRowSkeleton() {
  return (
    <div className="flex h-[66px] items-center gap-3.5 px-4">
      <Skeleton className="size-[42px] rounded-tile" />
      <div className="grid grid-cols-1 flex-1 gap-2">
        <Skeleton className="h-3.5 w-2/3" />
        <Skeleton className="h-3 w-1/3" />
      </div>
      <div className="grid grid-cols-1 justify-items-end gap-2">
        <Skeleton className="h-3.5 w-16" />
        <Skeleton className="h-3 w-20" />
      </div>
    </div>
  );
}
