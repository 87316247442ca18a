import { useLingui } from '@lingui/react/macro';
import { baht, date } from '@wlv/ui/format';

const [bar, step, height] = [6, 9, 66];
/** A day without a sale is a dot on the ground, not a gap. */
const ground = 6;

/** Commission day by day, oldest first, today bright; to its own scale, in the colour of the text around it. */
export function DayBars({ days }: { days: { day: string; satang: number }[] }) {
  const { t } = useLingui();
  const top = Math.max(...days.map((d) => d.satang), 1);
  const width = days.length * step - (step - bar);
  const shown = days.length;
  const best = days.find((d) => d.satang === top);
  const label = useLabel(shown, best);
  return (
    <figure>
      <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {days.map(({ day: on, satang }, i) => {
          const tall = ground + (satang / top) * (height - ground);
          const today = i === days.length - 1;
          return (
            <rect
              key={on}
              x={i * step}
              y={height - tall}
              width={bar}
              height={tall}
              rx={bar / 2}
              fill="currentColor"
              opacity={today ? 1 : 0.42}
            />
          );
        })}
      </svg>
      <figcaption aria-hidden className="mt-1 text-right text-tab text-band-quiet">
        {t`Last ${shown} days`}
      </figcaption>
    </figure>
  );
}

function useLabel(shown: number, best: { day: string; satang: number } | undefined) {
  const { t } = useLingui();
  if (!best) return t`No commission in the last ${shown} days`;
  const [sum, day] = [baht(best.satang), date(best.day)];
  return t`Commission of the last ${shown} days; most on ${day}: ${sum}`;
}
