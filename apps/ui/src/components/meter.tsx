import { clsx } from 'clsx';

type Tone = 'brand' | 'ok' | 'warn' | 'bad';

const fills: Record<Tone, string> = { brand: 'bg-brand-mark', ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad' };

/** How far something is, 0…1; the words beside it say the same. */
export function Meter({ value, tone = 'brand', className }: { value: number; tone?: Tone; className?: string }) {
  return (
    <span
      data-slot="meter"
      aria-hidden
      className={clsx('block h-1.5 overflow-hidden rounded-full bg-track', className)}
    >
      <span
        className={clsx('block h-full rounded-full', fills[tone])}
        style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }}
      />
    </span>
  );
}

/** One dot per item, filled where it is still there. */
export function Dots({ left, total }: { left: number; total: number }) {
  return (
    <span data-slot="dots" aria-hidden className="inline-flex items-center gap-[5px]">
      {Array.from({ length: total }, (_, i) => (
        <span
          key={i}
          className={clsx(
            'size-2.5 rounded-full',
            i < left ? 'bg-brand-mark' : 'shadow-[inset_0_0_0_1.5px_var(--line-strong)]',
          )}
        />
      ))}
    </span>
  );
}

/** Dots up to six items, a meter beyond and for baht. */
export function Remaining({ left, total, kind }: { left: number; total: number; kind: 'item' | 'baht' }) {
  if (kind === 'item' && total <= 6) return <Dots left={left} total={total} />;
  return <Meter value={total ? left / total : 0} className="w-[84px] shrink-0" />;
}
