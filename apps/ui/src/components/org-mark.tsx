import { clsx } from 'clsx';
import { monogram } from '../format/monogram.ts';

/** The organisation's logo in its tile; its monogram where there is none. On a band the tile is white. */
export function OrgMark({
  logo,
  name,
  size = 42,
  onBand,
  colours,
  className,
}: {
  logo: string | null | undefined;
  name: string;
  size?: number;
  onBand?: boolean;
  /** Of the letters and their tile, where they are not the page's. */
  colours?: { color: string; background: string };
  className?: string;
}) {
  const box = { width: size, height: size, borderRadius: size * 0.3 };
  if (logo) {
    return (
      <img
        data-slot="org-mark"
        src={logo}
        alt=""
        style={box}
        className={clsx('shrink-0 bg-white object-contain', className)}
      />
    );
  }
  const two = monogram(name);
  return (
    <span
      data-slot="org-mark"
      aria-hidden
      style={{ ...box, fontSize: size * 0.4, ...colours }}
      className={clsx(
        'grid shrink-0 place-items-center font-semibold',
        onBand ? 'bg-band-foreground text-band' : 'bg-primary text-primary-foreground',
        className,
      )}
    >
      {two}
    </span>
  );
}

/** The platform's own mark: a ticket with a heart. */
export function PlatformMark({ size = 40 }: { size?: number }) {
  return (
    <span
      data-slot="platform-mark"
      aria-hidden
      style={{ width: size, height: size, borderRadius: size * 0.3 }}
      className="grid shrink-0 place-items-center bg-primary text-primary-foreground"
    >
      <svg aria-hidden viewBox="0 0 40 40" width={size * 0.86} height={size * 0.86} fill="currentColor">
        <path d="M9 13h22a1.5 1.5 0 0 1 1.5 1.5v3a3 3 0 0 0 0 5.5v3A1.5 1.5 0 0 1 31 27.5H9A1.5 1.5 0 0 1 7.5 26v-3a3 3 0 0 0 0-5.5v-3A1.5 1.5 0 0 1 9 13Z" />
        <path
          d="M20 25.5c-4-2.6-5.6-4.7-5-6.7.700-2.2 3.7-2.3 5-.2 1.3-2.1 4.3-2 5 .2.600 2-1 4.1-5 6.7Z"
          fill="var(--brand)"
        />
      </svg>
    </span>
  );
}
