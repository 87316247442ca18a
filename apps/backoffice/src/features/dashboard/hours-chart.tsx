import { useLingui } from '@lingui/react/macro';
import { amount, baht, time } from '@wlv/ui/format';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import {
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { shortBaht } from './axis.ts';
import type { Sales } from './dashboard.ts';

type Hours = NonNullable<Sales['hours']>;

interface Point {
  /** When the hour begins, of the day. */
  hour: number;
  now: number;
  before: number;
  orders: number;
}

/** Sales of today by the hour over those of the same weekday a week before, with the same figures as a table behind it. */
export default function HoursChart({ today, lastWeek, at }: { today: Hours; lastWeek: Hours; at: number }) {
  const { t } = useLingui();
  const all = today.map(
    ({ gross_satang, orders }, hour): Point => ({
      hour,
      now: gross_satang,
      before: lastWeek[hour]?.gross_satang ?? 0,
      orders,
    }),
  );
  const points = all.slice(...shownHours(all));
  const running = today.findLastIndex(({ hour }) => new Date(hour).getTime() <= at);
  const axis = { fontSize: 12, fill: 'var(--text-3)' };
  return (
    <>
      <div aria-hidden className="mt-2 h-[220px]">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={points} margin={{ top: 18, right: 36, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <defs>
              <pattern id="running" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="6" height="6" fill="var(--brand-mark)" fillOpacity={0.55} />
                <rect width="3" height="6" fill="var(--brand-mark)" />
              </pattern>
            </defs>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="hour"
              tickFormatter={clock}
              interval="preserveStartEnd"
              tick={axis}
              tickLine={false}
              axisLine={false}
            />
            <XAxis dataKey="hour" xAxisId="before" hide />
            <YAxis width={48} tickCount={4} tickFormatter={shortBaht} tick={axis} tickLine={false} axisLine={false} />
            <Tooltip content={<Tip running={running} />} cursor={false} />
            <Bar
              dataKey="before"
              xAxisId="before"
              fill="transparent"
              stroke="var(--text-3)"
              strokeDasharray="3 3"
              barSize="86%"
              isAnimationActive={false}
            />
            <Bar dataKey="now" fill="var(--brand-mark)" radius={[4, 4, 0, 0]} barSize="64%" isAnimationActive={false}>
              {points.map(({ hour }) => (
                <Cell key={hour} fill={hour === running ? 'url(#running)' : 'var(--brand-mark)'} />
              ))}
            </Bar>
            {points.some(({ hour }) => hour === running) && (
              <ReferenceLine
                x={running}
                stroke="none"
                label={{ value: t`Now ${time(at)}`, position: 'top', fontSize: 12, fill: 'var(--text)' }}
              />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <details className="mt-1">
        <summary className="w-fit cursor-pointer text-caption font-medium text-brand-text">{t`See as a table`}</summary>
        <div className="mt-2 max-h-72 overflow-y-auto">
          <Table>
            <TableHead>
              <tr>
                <TableHeader>{t`Hour`}</TableHeader>
                <TableHeader numeric>{t`Orders`}</TableHeader>
                <TableHeader numeric>{t`Sales`}</TableHeader>
                <TableHeader numeric>{t`A week before`}</TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {points.map(({ hour, now, before, orders }) => (
                <TableRow key={hour}>
                  <TableCell compact>{clock(hour)}</TableCell>
                  <TableCell compact numeric>
                    {orders}
                  </TableCell>
                  <TableCell compact numeric>
                    {amount(now)}
                  </TableCell>
                  <TableCell compact numeric>
                    {amount(before)}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      </details>
    </>
  );
}

/** From 9 to 21, and further where something was sold earlier or later: what slice takes. */
function shownHours(all: Point[]): [number, number] {
  const sold = all.filter(({ now, before }) => now > 0 || before > 0).map(({ hour }) => hour);
  return [Math.min(9, ...sold), Math.max(21, ...sold) + 1];
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

function Tip({
  active,
  payload,
  running,
}: {
  active?: boolean;
  payload?: readonly { payload: Point }[];
  running: number;
}) {
  const { t } = useLingui();
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  return (
    <div className="rounded-control bg-foreground px-3.5 py-2 text-background shadow-float">
      <p className="text-caption">
        {point.hour === running ? t`${clock(point.hour)} until now` : `${clock(point.hour)}–${clock(point.hour + 1)}`}
      </p>
      <p className="text-row font-semibold">{baht(point.now)}</p>
      <p className="text-caption">{t`a week before ${baht(point.before)}`}</p>
    </div>
  );
}
