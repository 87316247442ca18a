import { useLingui } from '@lingui/react/macro';
import { baht } from '@wlv/ui/format';
import { BarChart, Bar as Bars, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Bar } from './report.ts';

export interface Series {
  name: string;
  title: string;
}

const colours = ['var(--brand-mark)', 'var(--second-mark)', 'var(--info)'];

const colourOf = (i: number) => colours[i % colours.length] ?? '';

/** The figures of the table below as bars. Who reads the table misses nothing, so it is hidden from screen readers. */
export default function ReportChart({ bars, series, beside }: { bars: Bar[]; series: Series[]; beside: boolean }) {
  const axis = { fontSize: 12, fill: 'var(--text-3)' };
  const points = bars.map(({ label, values }) => ({ label, ...values }));
  return (
    <div aria-hidden className="mt-3 h-[220px]">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={points} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="label"
            tickFormatter={(label: string) => (/^\d\d\/\d\d\/\d{4}$/.test(label) ? label.slice(0, 5) : label)}
            interval="preserveStartEnd"
            tick={axis}
            tickLine={false}
            axisLine={false}
          />
          <YAxis width={48} tickCount={4} tickFormatter={shortBaht} tick={axis} tickLine={false} axisLine={false} />
          <Tooltip content={<Tip series={series} />} cursor={{ fill: 'var(--sunken)' }} />
          {series.map(({ name }, i) => (
            <Bars
              key={name}
              dataKey={name}
              {...(beside ? {} : { stackId: 'all' })}
              fill={colourOf(i)}
              maxBarSize={64}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function Tip({
  active,
  payload,
  series,
}: {
  active?: boolean;
  payload?: readonly { payload: Record<string, string | number> }[];
  series: Series[];
}) {
  const { t } = useLingui();
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  return (
    <div className="rounded-control bg-foreground px-3.5 py-2 text-background shadow-float">
      <p className="text-caption">{point.label}</p>
      {series.map(({ name, title }) => (
        <p key={name} className="text-row font-semibold">
          {series.length > 1 ? t`${title}: ${baht(Number(point[name] ?? 0))}` : baht(Number(point[name] ?? 0))}
        </p>
      ))}
    </div>
  );
}

/** Satang as `12k`, `1.5M`. */
function shortBaht(satang: number) {
  const whole = satang / 100;
  if (Math.abs(whole) >= 1_000_000) return `${Number((whole / 1_000_000).toFixed(1))}M`;
  return Math.abs(whole) >= 1000 ? `${Number((whole / 1000).toFixed(1))}k` : String(whole);
}
