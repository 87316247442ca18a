import { Plural, useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { EmptyState } from '@wlv/ui/state';
import type { Dashboard } from './dashboard.ts';

type Hours = NonNullable<Dashboard['uses']>['hours'];

// 5 January 2026 was a Monday.
const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, at: new Date(Date.UTC(2026, 0, 4 + weekday, 12)) }));
const weekdays = {
  th: {
    short: new Intl.DateTimeFormat('th-TH', { weekday: 'narrow' }),
    long: new Intl.DateTimeFormat('th-TH', { weekday: 'long' }),
  },
  en: {
    short: new Intl.DateTimeFormat('en-GB', { weekday: 'short' }),
    long: new Intl.DateTimeFormat('en-GB', { weekday: 'long' }),
  },
};

/** Opening hours that are shown even when nobody came in them, so that the table keeps its shape. */
const defaultActions = { from: 10, to: 20 };
const shades = [0, 15, 32, 52, 75, 100];

/** A day without the word for "day" before it. */
const dayName = (long: string) => long.replace(/^วัน/, '');

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** When customers come: a table of weekdays and hours, whose cells are the darker the more came. */
export function BusyHours({ hours }: { hours: Hours }) {
  const { t, i18n } = useLingui();
  const names = weekdays[i18n.locale === 'en' ? 'en' : 'th'];
  const most = hours.reduce((best, one) => (one.uses > best.uses ? one : best), { weekday: 0, hour: 0, uses: 0 });
  const busiest = days.find(({ weekday }) => weekday === most.weekday);
  return (
    <Card office className="min-w-0 px-[18px] py-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-base font-semibold">{t`When customers come`}</h2>
        {busiest && (
          <p className="text-caption text-quiet">{t`Busiest ${dayName(names.long.format(busiest.at))} ${clock(most.hour)}`}</p>
        )}
      </div>
      {busiest ? (
        <Week hours={hours} most={most.uses} names={names} />
      ) : (
        <EmptyState
          className="px-2! py-3! [&>svg]:h-[92px]"
          title={t`Nobody came in this time`}
          line={t`The hours in which vouchers are used will stand here.`}
        />
      )}
    </Card>
  );
}

function Week({ hours, most, names }: { hours: Hours; most: number; names: (typeof weekdays)['th'] }) {
  const { t } = useLingui();
  const from = Math.min(defaultActions.from, ...hours.map(({ hour }) => hour));
  const to = Math.max(defaultActions.to, ...hours.map(({ hour }) => hour));
  const columns = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  // At most seven hours are written; the others are read out only.
  const step = Math.ceil(columns.length / 7);
  const uses = new Map(hours.map((one) => [`${one.weekday}.${one.hour}`, one.uses]));
  return (
    <table className="w-full table-fixed border-separate border-spacing-[4px]">
      <caption className="sr-only">{t`Uses by weekday and hour`}</caption>
      <colgroup>
        <col className="w-10" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <td />
          {columns.map((hour) => (
            <th key={hour} scope="col">
              {clock(hour)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ weekday, at }) => (
          <tr key={weekday}>
            <th scope="row" className="text-left text-tab font-normal leading-[22px] text-quiet">
              <span aria-hidden>{names.short.format(at)}</span>
              <span className="sr-only">{names.long.format(at)}</span>
            </th>
            {columns.map((hour) => {
              const n = uses.get(`${weekday}.${hour}`) ?? 0;
              const shade = shades[Math.ceil((n / most) * (shades.length - 1))] ?? 0;
              return (
                <td
                  key={hour}
                  title={`${names.long.format(at)} ${clock(hour)} · ${n}`}
                  className="h-[22px] rounded-[5px] p-0"
                  style={{ backgroundColor: `color-mix(in oklab, var(--brand-mark) ${shade}%, var(--track))` }}
                >
                  <span className="sr-only">
                    <Plural value={n} one="# time" other="# times" />
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
      <tfoot aria-hidden>
        <tr>
          <td />
          {columns.map((hour, i) => (
            <td key={hour} className="overflow-visible p-0 text-center text-tab leading-[18px] text-quiet">
              {i % step === 0 && hour}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
