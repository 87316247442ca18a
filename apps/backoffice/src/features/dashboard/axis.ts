/** Satang as `12k`, `1.5M`. */
export function shortBaht(satang: number) {
  const whole = satang / 100;
  if (whole >= 1_000_000) return `${Number((whole / 1_000_000).toFixed(1))}M`;
  return whole >= 1000 ? `${Number((whole / 1000).toFixed(1))}k` : String(whole);
}
