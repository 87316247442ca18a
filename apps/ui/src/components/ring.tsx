import type { ReactNode } from 'react';

/** What is left of a time, 0…1, as a ring around its words. */
export function Ring({
  value,
  size = 76,
  warn,
  children,
}: {
  value: number;
  size?: number;
  warn?: boolean;
  children: ReactNode;
}) {
  const width = 6;
  const radius = (size - width) / 2;
  const circle = { cx: size / 2, cy: size / 2, r: radius, fill: 'none', strokeWidth: width };
  return (
    <div data-slot="ring" className="relative grid shrink-0 place-items-center" style={{ width: size, height: size }}>
      <svg aria-hidden width={size} height={size} className="absolute inset-0 -rotate-90">
        <circle {...circle} stroke="var(--line)" />
        <circle
          {...circle}
          stroke={warn ? 'var(--warn)' : 'var(--brand-mark)'}
          strokeLinecap="round"
          pathLength={100}
          strokeDasharray={`${value * 100} 100`}
          className="transition-[stroke-dasharray] duration-1000 ease-linear"
        />
      </svg>
      {children}
    </div>
  );
}

/** The same, square around a QR, clockwise from the top, as large as its parent lets it; the paper is white by night too. */
export function SquareRing({ value, warn, children }: { value: number; warn?: boolean; children: ReactNode }) {
  const size = 342;
  const r = 20;
  const [near, far, middle] = [3, size - 3, size / 2];
  const path = `M${middle} ${near}H${far - r}a${r} ${r} 0 0 1 ${r} ${r}V${far - r}a${r} ${r} 0 0 1 ${-r} ${r}H${near + r}a${r} ${r} 0 0 1 ${-r} ${-r}V${near + r}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
  return (
    <div data-slot="square-ring" className="relative grid aspect-square w-full place-items-center bg-white">
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        className="absolute inset-0 size-full"
        fill="none"
        strokeWidth={6}
      >
        <path d={path} stroke="#eceae4" />
        <path
          d={path}
          stroke={warn ? 'var(--warn)' : 'var(--brand)'}
          strokeLinecap="round"
          pathLength={100}
          strokeDasharray={`${value * 100} 100`}
          className="transition-[stroke-dasharray] duration-1000 ease-linear"
        />
      </svg>
      {children}
    </div>
  );
}

/** A short arc that turns while something outside is waited for. */
export function WaitingRing({ size = 22 }: { size?: number }) {
  return (
    <svg
      data-slot="waiting-ring"
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth={2.5}
      strokeLinecap="round"
      className="shrink-0 animate-wait"
    >
      <circle cx="12" cy="12" r="9" stroke="var(--line)" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="var(--brand-mark)" />
    </svg>
  );
}
