import type { Row } from '@wlv/client/call';
import { date } from '@wlv/ui/format';

export type Sale = Row<'/api/agent/history'>;

/** Sales come newest first; a day of Bangkok is one group. */
export function byDay(sales: Sale[]) {
  const days: { day: string; sales: Sale[] }[] = [];
  for (const sale of sales) {
    const day = date(sale.at);
    const last = days.at(-1);
    if (last?.day === day) last.sales.push(sale);
    else days.push({ day, sales: [sale] });
  }
  return days;
}
