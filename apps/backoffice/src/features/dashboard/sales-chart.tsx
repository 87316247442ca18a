import { useLingui } from '@lingui/react/macro';
import { Disclosure } from '@wlv/ui/disclosure';
import { amount, baht, date } from '@wlv/ui/format';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { shortBaht } from './axis.ts';
import type { Sales } from './dashboard.ts';

interface Point {
  day: string;
  now: number;
  before: number;
}

/** Sales by day beside the days before, with the same figures as a table behind it. */
export default function SalesChart({ now, before }: { now: Sales['days']; before: Sales['earlier'] }) {
  const { t } = useLingui();
  const points: Point[] = now.map((day, i) => ({
    day: day.day,
    now: day.gross_satang,
    before: before[i]?.gross_satang ?? 0,
  }));
  const axis = { fontSize: 12, fill: 'var(--text-3)' };
  return (
    <>
      <div aria-hidden className="mt-2 h-[220px]">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={points} margin={{ top: 10, right: 22, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <defs>
              <linearGradient id="sales" x1="0" y1="0" x2="0" y2="1">
                <stop offset="0" stopColor="var(--brand-mark)" stopOpacity={0.2} />
                <stop offset="1" stopColor="var(--brand-mark)" stopOpacity={0} />
              </linearGradient>
            </defs>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="day"
              tickFormatter={(day: string) => date(day).slice(0, 5)}
              ticks={ticksOf(points)}
              interval={0}
              tick={axis}
              tickLine={false}
              axisLine={false}
            />
            <YAxis width={48} tickCount={4} tickFormatter={shortBaht} tick={axis} tickLine={false} axisLine={false} />
            <Tooltip content={<Tip />} cursor={{ stroke: 'var(--text-3)', strokeDasharray: '2 4' }} />
            <Line
              dataKey="before"
              type="monotone"
              stroke="var(--line-strong)"
              strokeWidth={1.6}
              strokeDasharray="3 5"
              dot={false}
              activeDot={false}
              isAnimationActive={false}
            />
            <Area
              dataKey="now"
              type="monotone"
              stroke="var(--brand-mark)"
              strokeWidth={2.5}
              fill="url(#sales)"
              dot={points.length === 1}
              activeDot={{ r: 6, fill: 'var(--surface)', stroke: 'var(--brand-mark)', strokeWidth: 3 }}
              isAnimationActive={false}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <Disclosure title={t`See as a table`} size="small">
        <div className="max-h-72 overflow-y-auto">
          <Table>
            <TableHead>
              <tr>
                <TableHeader>{t`Day`}</TableHeader>
                <TableHeader numeric>{t`Orders`}</TableHeader>
                <TableHeader numeric>{t`Sales`}</TableHeader>
                <TableHeader numeric>{t`Before`}</TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {now.map((day, i) => (
                <TableRow key={day.day}>
                  <TableCell compact>{date(day.day)}</TableCell>
                  <TableCell compact numeric>
                    {day.orders}
                  </TableCell>
                  <TableCell compact numeric>
                    {amount(day.gross_satang)}
                  </TableCell>
                  <TableCell compact numeric>
                    {amount(points[i]?.before ?? 0)}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      </Disclosure>
    </>
  );
}

/** At most five days, the first and the last among them. */
function ticksOf(points: Point[]) {
  const last = points.length - 1;
  const steps = Math.min(4, last);
  return Array.from({ length: steps + 1 }, (_, i) => points[steps ? Math.round((i * last) / steps) : 0]?.day ?? '');
}

const weekday = {
  th: new Intl.DateTimeFormat('th-TH', { weekday: 'long' }),
  en: new Intl.DateTimeFormat('en-GB', { weekday: 'long' }),
};

function Tip({ active, payload }: { active?: boolean; payload?: readonly { payload: Point }[] }) {
  const { i18n } = useLingui();
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  const name = weekday[i18n.locale === 'en' ? 'en' : 'th'].format(new Date(`${point.day}T12:00:00Z`));
  return (
    <div className="rounded-control bg-foreground px-3.5 py-2 text-background shadow-float">
      <p className="text-caption">
        {name} {date(point.day).slice(0, 5)}
      </p>
      <p className="text-row font-semibold">{baht(point.now)}</p>
    </div>
  );
}
