import { date } from './format.ts';

/** Groups rows, which come newest first, by days of Bangkok. `day` is written as people read it. */
export function byDay<Row extends { at: string }>(rows: Row[]) {
  const days: { day: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const day = date(row.at);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}
