import { clsx } from 'clsx';
import { Crown } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * The front of a member card: the shop above, who it is of in the stub. `picture` is its own front in place of the shop's colours; a shade keeps what is written
 * on it readable. Grey: it cannot be used.
 */
export function MemberFace({
  mark,
  shop,
  line,
  type,
  name,
  number,
  beside,
  picture,
  grey,
}: {
  mark: ReactNode;
  shop: string;
  line: ReactNode;
  type: string;
  name: string;
  number: string;
  beside?: ReactNode;
  picture?: string | null | undefined;
  grey?: boolean;
}) {
  return (
    <section
      aria-label={type}
      data-slot="member-face"
      className={clsx(
        'relative grid aspect-[1011/638] grid-rows-[1fr_auto] overflow-hidden rounded-card bg-band text-band-foreground shadow-lg',
        grey && 'grayscale',
      )}
    >
      {picture ? (
        <>
          <img src={picture} alt="" className="absolute inset-0 size-full object-cover" />
          <span aria-hidden className="absolute inset-0 bg-linear-to-b from-black/70 via-black/25 to-black/70" />
        </>
      ) : (
        <Rings />
      )}
      <div className={clsx('relative flex min-w-0 items-start gap-3 p-4', picture && 'text-white')}>
        {mark}
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{shop}</span>
          <span className={clsx('block truncate text-sm', !picture && 'text-band-quiet')}>{line}</span>
        </span>
        <span className="flex max-w-[45%] items-center gap-1.5 rounded-small bg-secondary px-2.5 py-1 text-sm font-medium text-secondary-foreground">
          <Crown aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{type}</span>
        </span>
      </div>
      <div
        className={clsx(
          'relative flex min-w-0 items-end justify-between gap-3 px-4 py-3.5',
          picture ? 'text-white' : 'border-t-2 border-dotted border-band-foreground/40 bg-band-shade',
        )}
      >
        <span className="min-w-0">
          <span className="block truncate text-h2 font-semibold">{name}</span>
          <span className="block tracking-wide">{number}</span>
        </span>
        {beside && <span className="shrink-0 text-right text-sm">{beside}</span>}
      </div>
    </section>
  );
}

function Rings() {
  return (
    <svg aria-hidden viewBox="0 0 358 160" className="absolute inset-x-0 top-0 w-full opacity-15" fill="none">
      {[34, 58, 82, 106, 130, 154, 178, 202, 226, 250, 274].map((r) => (
        <circle key={r} cx="300" cy="150" r={r} stroke="currentColor" />
      ))}
    </svg>
  );
}
