import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { amount, baht, date, timeToSecond } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Ring } from '@wlv/ui/ring';
import { clsx } from 'clsx';
import { Check, MapPin, ScanLine } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import { useAnswerKeys } from './result-screen.tsx';
import { Amount } from './results.tsx';
import type { Use } from './scan.ts';
import type { ServicePoint } from './service-point.ts';
import { useUsesToday } from './uses-today.ts';

/** Seconds until the camera looks for the next code by itself. */
const pause = 2;

/** It has been used, just now, here. On pale paper with a stamp, so that nobody takes it for a code that may be used; the next scan begins by itself. */
export function UsedScreen({
  use,
  picture,
  servicePoint,
  onNext,
}: {
  use: Use;
  picture: string | null;
  servicePoint: ServicePoint;
  onNext: () => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const count = useUsesToday(servicePoint.id);
  const screen = useAnswerKeys(onNext);
  return (
    <main
      ref={screen}
      role="alert"
      className="fixed inset-0 z-40 overflow-y-auto bg-[#f2f6f3] text-[#15130f] animate-in fade-in-0 duration-[120ms]"
    >
      <div className="mx-auto flex min-h-full max-w-[520px] flex-col">
        <div className="flex flex-1 flex-col px-4 pb-8 pt-2.5">
          <p className="flex h-9 items-center gap-2 text-row">
            <MapPin aria-hidden className="size-5" />
            <span className="min-w-0 flex-1 truncate">{text(servicePoint, 'name')}</span>
            <span>{t`${count} today`}</span>
          </p>
          <div className="mx-auto my-9 grid -rotate-[7deg] justify-items-center rounded-[26px] border-[7px] border-go px-10 py-5 text-go animate-in zoom-in-125 fade-in-0 duration-150">
            <h1 className="text-[52px] font-bold leading-[76px]">{t`Used`}</h1>
            <p className="border-t-2 border-go pt-2 text-h2 tabular-nums">
              {date(use.at)} {timeToSecond(use.at)}
            </p>
          </div>
          <div className="mt-auto rounded-card border border-black/10 bg-white shadow-[0_6px_24px_rgb(0_0_0/6%)]">
            <div className="flex items-center gap-3.5 p-4">
              <Picture
                src={pictureURL(picture, 160)}
                mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={32} className="opacity-60" />}
                className="size-[60px] shrink-0 rounded-tile"
              />
              <div className="min-w-0">
                <h2 className="line-clamp-2 text-base font-medium">{text(use, 'name')}</h2>
                <p className="truncate text-row text-[#5d584f]">
                  {use.customer_name} · <Amount kind={use.kind} items={use.items} />
                </p>
              </div>
            </div>
            <div className="mx-4 flex items-end justify-between gap-3 border-t border-black/10 pb-4 pt-3">
              <div>
                <p className="text-caption text-[#5d584f]">{t`Left`}</p>
                <Left use={use} />
              </div>
              <Discs use={use} />
            </div>
          </div>
        </div>
        <Next onNext={onNext} />
      </div>
    </main>
  );
}

function Left({ use: { kind, items_left, items_total } }: { use: Use }) {
  const { t } = useLingui();
  const [left, total] =
    kind === 'baht'
      ? [amount(items_left), baht(items_total)]
      : [items_left, t`${plural(items_total, { one: '# time', other: '# times' })}`];
  return <p className="text-[30px] font-semibold leading-[44px]">{t`${left} of ${total}`}</p>;
}

/** One disc a time, the used ones open; the words beside them say the same. */
function Discs({ use }: { use: Use }) {
  if (use.kind === 'baht' || use.items_total > 6) return null;
  return (
    <span aria-hidden className="flex gap-2 pb-2">
      {Array.from({ length: use.items_total }, (_, i) => (
        <span
          key={i}
          className={clsx(
            'grid size-7 place-items-center rounded-full',
            i < use.items_left ? 'bg-go' : 'border-2 border-dashed border-go text-go',
          )}
        >
          {i >= use.items_left && i < use.items_left + use.items && <Check className="size-4" strokeWidth={3} />}
        </span>
      ))}
    </span>
  );
}

/** The next scan: by itself after a moment, at once by a touch, or when the staff say so. */
function Next({ onNext }: { onNext: () => void }) {
  const { t } = useLingui();
  const [left, setLeft] = useState(pause);
  const [stays, setStays] = useState(false);
  useEffect(() => {
    if (stays) return;
    if (left === 0) return onNext();
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, stays, onNext]);
  return (
    <div className="rounded-t-sheet bg-[#15130f] px-4 pb-7 pt-5 text-white [--focus:#fff]">
      {!stays && (
        <div className="mb-5 flex items-center gap-4">
          <span style={{ '--line': 'rgb(255 255 255 / 25%)', '--brand-mark': '#7CE3A9' } as CSSProperties}>
            <Ring size={56} value={left / pause}>
              <ScanLine aria-hidden className="size-6" />
            </Ring>
          </span>
          <div>
            <p className="text-base font-semibold">{t`Next one, please`}</p>
            <p className="text-sm text-white/80">
              {t`The camera opens by itself in ${plural(left, { one: '# second', other: '# seconds' })}`}
            </p>
          </div>
        </div>
      )}
      <div className="flex gap-3">
        <button
          type="button"
          data-main
          onClick={onNext}
          className="flex h-16 flex-1 items-center justify-center gap-2.5 rounded-card bg-white text-[19px] font-semibold text-[#15130f]"
        >
          <ScanLine aria-hidden className="size-6" />
          {t`Scan now`}
        </button>
        {!stays && (
          <button
            type="button"
            onClick={() => setStays(true)}
            className="h-16 rounded-card bg-white/20 px-4 text-base font-semibold"
          >{t`Stay on this page`}</button>
        )}
      </div>
    </div>
  );
}
