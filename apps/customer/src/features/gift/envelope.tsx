import { useLingui } from '@lingui/react/macro';
import { Mark } from '@wlv/client/page';
import { Meter } from '@wlv/ui/meter';
import { clsx } from 'clsx';
import type { Gift } from './gift.ts';

type Taker = Gift['takers'][number];

/** Up to so many envelopes are drawn; of more, a meter says how many are open. */
export const mostDrawn = 10;

/** An envelope of an ang-pao in the organisation's colours, sealed with its mark; an open one shows its flap. On a band it is of the second one. */
export function Envelope({ open, onBand, className }: { open?: boolean; onBand?: boolean; className?: string }) {
  const [paper, line] = onBand ? ['var(--second)', 'var(--brand)'] : ['var(--brand)', 'var(--second)'];
  return (
    <span aria-hidden className={clsx('relative block', className)}>
      <svg aria-hidden viewBox="0 0 56 76" className="block w-full overflow-visible">
        <ellipse cx="28" cy="75" rx="24" ry="3" opacity=".14" />
        {open ? (
          <>
            <path d="M4 20L28 2 52 20V28H4Z" fill="var(--brand)" />
            <path d="M4 20L28 2 52 20V28H4Z" opacity=".3" />
            <rect x="9" y="10" width="38" height="40" rx="4" fill="#fffdf8" />
            <path d="M15 20H41M15 26H33" stroke="#cfc8ba" strokeWidth="2.4" strokeLinecap="round" />
            <path
              d="M2 24a4 4 0 0 1 4-4l22 16 22-16a4 4 0 0 1 4 4V70a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z"
              fill="var(--brand)"
            />
            <path
              d="M2 24a4 4 0 0 1 4-4l22 16 22-16a4 4 0 0 1 4 4"
              fill="none"
              stroke="var(--second)"
              strokeWidth="2"
              className="animate-in fade-in-0 duration-200 motion-reduce:animate-none"
            />
          </>
        ) : (
          <>
            <rect x="2" y="2" width="52" height="72" rx="6" fill={paper} />
            <path d="M2 8a6 6 0 0 1 6-6H48a6 6 0 0 1 6 6V16Q28 40 2 16Z" fill="#fff" opacity=".1" />
            <path d="M2 16Q28 40 54 16" fill="none" stroke={line} strokeWidth="2" />
            <rect x="6.5" y="6.5" width="43" height="63" rx="3.5" fill="none" stroke={line} strokeOpacity=".55" />
          </>
        )}
        <circle cx="28" cy={open ? 52 : 29} r={open ? 9 : 11} fill={line} />
      </svg>
      <span
        className={clsx(
          'absolute left-1/2 grid w-[28%] -translate-x-1/2 -translate-y-1/2 place-items-center overflow-hidden rounded-full [&_*]:size-full!',
          open ? 'top-[68%]' : 'top-[38%]',
        )}
      >
        <Mark size={20} />
      </span>
    </span>
  );
}

/** One envelope for each person, and who has opened which; of many, how many are open. */
export function Envelopes({ people, takers, ended }: { people: number; takers?: Taker[]; ended?: boolean }) {
  const { t } = useLingui();
  const inOrder = takers?.toReversed() ?? [];
  const taken = inOrder.length;
  const left = people - taken;
  return (
    <section className="grid grid-cols-1 gap-3">
      {people <= mostDrawn && (
        <ul className="flex flex-wrap justify-center gap-y-3.5 rounded-card bg-accent px-3.5 pb-4 pt-5">
          {Array.from({ length: people }, (_, i) => (
            <li key={i} className="grid w-1/5 min-w-0 justify-items-center px-0.5">
              <Envelope open={i < taken} className="w-12" />
              {takers && (
                <span
                  className={clsx(
                    'mt-1 block max-w-full truncate text-caption',
                    i < taken ? 'font-medium' : 'text-muted-foreground',
                  )}
                >
                  {i < taken ? inOrder[i]?.name || t`Somebody` : ended ? t`Came back` : t`Closed`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {takers && (
        <div className="px-1">
          <p className="flex items-baseline justify-between gap-3 pb-2">
            <span className="text-h2 font-semibold">{t`${taken} of ${people} envelopes taken`}</span>
            {!ended && left > 0 && <span className="shrink-0 text-sm text-quiet">{t`${left} left`}</span>}
          </p>
          <Meter value={taken / people} />
        </div>
      )}
    </section>
  );
}
