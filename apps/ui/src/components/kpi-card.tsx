import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

/** A figure of the office: name, number, its change in words, and the line it came by. */
export function KpiCard({
  icon,
  name,
  value,
  change,
  good,
  trend,
}: {
  icon: ReactNode;
  name: ReactNode;
  value: ReactNode;
  /** In words: "12.4% จาก 30 วันก่อน". */
  change?: ReactNode;
  good?: boolean;
  /** Oldest first; drawn to its own scale. */
  trend?: number[];
}) {
  return (
    <Card office data-slot="kpi-card" className="flex items-start justify-between gap-3 px-[18px] py-4">
      <div className="min-w-0">
        <p className="flex items-center gap-2 text-sm text-muted-foreground [&_svg]:size-[18px]">
          {icon}
          {name}
        </p>
        <p className="mt-1 text-[25px] font-semibold leading-9">{value}</p>
        {change && <p className={clsx('text-caption', good ? 'text-ok-text' : 'text-quiet')}>{change}</p>}
      </div>
      {trend && <Sparkline values={trend} />}
    </Card>
  );
}

function Sparkline({ values }: { values: number[] }) {
  const [width, height] = [76, 34];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, i) => {
    const x = 2 + (i / Math.max(1, values.length - 1)) * (width - 6);
    const y = height - 4 - ((value - low) / (high - low || 1)) * (height - 8);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const [lastX, lastY] = points.at(-1)?.split(',') ?? [];
  return (
    <svg aria-hidden width={width} height={height} className="mt-9 shrink-0">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--brand-mark)"
        strokeWidth={2.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx={lastX} cy={lastY} r={4} fill="var(--brand-mark)" />
    </svg>
  );
}
