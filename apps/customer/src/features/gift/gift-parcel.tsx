import { clsx } from 'clsx';
import type { Ref } from 'react';

const ticket =
  'M9 13h22a1.5 1.5 0 0 1 1.5 1.5v3a3 3 0 0 0 0 5.5v3A1.5 1.5 0 0 1 31 27.5H9A1.5 1.5 0 0 1 7.5 26v-3a3 3 0 0 0 0-5.5v-3A1.5 1.5 0 0 1 9 13Z';
const paper = '#fffdf8';

/** Small tickets all over the paper. */
function Print({ id }: { id: string }) {
  return (
    <pattern id={id} width="54" height="54" patternUnits="userSpaceOnUse" patternTransform="rotate(-18)">
      <path d={ticket} transform="translate(2 2) scale(.6)" fill="#000" fillOpacity=".13" />
      <path d={ticket} transform="translate(29 29) scale(.6)" fill="#fff" fillOpacity=".24" />
    </pattern>
  );
}

/** One loop of the bow, drawn to the left of its knot. */
function Loop({ right }: { right?: boolean }) {
  return (
    <g transform={right ? 'scale(-1 1)' : undefined}>
      <g data-part="loop">
        <path d="M0 0C-18-26-46-26-48-6-48 14-20 16 0 0Z" fill={paper} />
        <path d="M0 0C-18-26-46-26-48-6-48 14-20 16 0 0Z" fill="url(#parcel-round)" opacity=".7" />
        <path d="M-4 0C-18-14-36-16-38-6-36 4-18 6-4 0Z" fill="var(--brand)" opacity=".26" />
        <path d="M-6 0C-18-8-30-10-36-5-34 3-18 5-6 0Z" fill="var(--brand)" opacity=".14" />
      </g>
    </g>
  );
}

function Tail({ right }: { right?: boolean }) {
  const shape = 'M-3 3C-12 22-20 36-34 48L-20 50-15 61C-6 42 1 24 3 6Z';
  return (
    <g transform={right ? 'scale(-1 1)' : undefined}>
      <path d={shape} fill="#000" opacity=".14" transform="translate(2 3)" />
      <path d={shape} fill={paper} />
      <path d={shape} fill="var(--brand)" opacity=".12" />
    </g>
  );
}

/** A gift in its paper, of the organisation's second colour. `unwrap` takes it off. */
export function Parcel({ ref, className }: { ref?: Ref<SVGSVGElement>; className?: string }) {
  return (
    <svg ref={ref} aria-hidden viewBox="0 0 316 330" className={clsx('overflow-visible', className)}>
      <defs>
        <linearGradient id="parcel-across">
          <stop offset="0" stopColor="#fff" stopOpacity=".3" />
          <stop offset=".38" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity=".3" />
        </linearGradient>
        <linearGradient id="parcel-down" x2="0" y2="1">
          <stop offset="0" stopColor="#fff" stopOpacity=".16" />
          <stop offset=".5" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity=".14" />
        </linearGradient>
        <radialGradient id="parcel-round" cx=".35" cy=".28" r=".9">
          <stop offset="0" stopColor="#fff" stopOpacity=".42" />
          <stop offset=".5" stopColor="#fff" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity=".3" />
        </radialGradient>
        <Print id="parcel-print" />
        <clipPath id="parcel-edge">
          <rect x="8" y="40" width="300" height="276" rx="20" />
        </clipPath>
      </defs>
      <g data-part="paper">
        <ellipse cx="158" cy="318" rx="150" ry="12" opacity=".22" />
        <g clipPath="url(#parcel-edge)">
          <rect x="8" y="40" width="300" height="276" fill="var(--second)" />
          <rect x="8" y="40" width="300" height="276" fill="url(#parcel-print)" />
          <path d="M8 40H44L28 178 44 316H8Z" opacity=".07" />
          <path d="M308 40H272L288 178 272 316H308Z" opacity=".12" />
          <path d="M44 40L28 178 44 316" fill="none" stroke="#fff" strokeOpacity=".35" strokeWidth="1.5" />
          <path d="M272 40L288 178 272 316" fill="none" stroke="#000" strokeOpacity=".16" strokeWidth="1.5" />
          <rect x="8" y="40" width="300" height="276" fill="url(#parcel-down)" />
        </g>
      </g>
      <g data-part="ribbon">
        <g clipPath="url(#parcel-edge)">
          <rect x="176" y="43" width="6" height="276" opacity=".1" />
          <rect x="138" y="40" width="40" height="276" fill={paper} />
          <rect x="138" y="40" width="40" height="276" fill="url(#parcel-across)" opacity=".5" />
          <path d="M143 40V316M173 40V316" stroke="var(--brand)" strokeWidth="1.6" />
          <rect x="8" y="134" width="300" height="8" opacity=".1" />
          <rect x="8" y="100" width="300" height="38" fill={paper} />
          <path d="M8 105H308M8 133H308" stroke="var(--brand)" strokeWidth="1.6" />
        </g>
        <ellipse cx="160" cy="126" rx="80" ry="13" opacity=".14" />
      </g>
      <g transform="translate(158 116) scale(1.72)">
        <g data-part="ribbon">
          <Tail />
          <Tail right />
        </g>
        <Loop />
        <Loop right />
        <g data-part="ribbon">
          <path d="M-10-9Q0-13 10-9 12 0 10 9 0 13-10 9-12 0-10-9Z" fill={paper} />
          <path d="M-10-9Q0-13 10-9 12 0 10 9 0 13-10 9-12 0-10-9Z" fill="url(#parcel-round)" opacity=".7" />
          <path d="M-3-9Q-5 0-3 9M4-9Q6 0 4 9" stroke="var(--brand)" strokeOpacity=".2" strokeWidth="1.2" fill="none" />
        </g>
      </g>
    </svg>
  );
}

/** The bow's loops slip out, the ribbon falls, the paper opens. Where motion is reduced it fades. */
export async function unwrap(parcel: SVGSVGElement | null) {
  if (!parcel || !('animate' in parcel)) return;
  const options = (duration: number) => ({ duration, easing: 'ease-in', fill: 'forwards' }) as const;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    await parcel.animate({ opacity: [1, 0] }, options(150)).finished;
    return;
  }
  const move = (part: string, to: Keyframe, duration: number) =>
    Promise.all(
      Array.from(
        parcel.querySelectorAll(`[data-part=${part}]`),
        (one) => one.animate([{}, to], options(duration)).finished,
      ),
    );
  await move('loop', { transform: 'scale(.1, .4)', opacity: 0.4 }, 250);
  await Promise.all([
    move('ribbon', { transform: 'translateY(150px)', opacity: 0 }, 200),
    move('loop', { opacity: 0 }, 60),
  ]);
  await move('paper', { transform: 'translateY(-12px) scale(1.04)', opacity: 0 }, 150);
}

/** The paper that the gift lies on once it is open. */
export function OpenPaper({ className }: { className?: string }) {
  const shape =
    'M-42 122L52 70 96 108 190 84 262 112 330 66 434 126 410 330 350 376 262 352 190 384 96 350 40 388-24 340Z';
  const ends = ['M-10 250C40 214 60 300 30 330S10 396 60 392', 'M400 150C346 150 352 214 380 232S392 300 346 306'];
  return (
    <svg aria-hidden viewBox="0 0 390 420" className={clsx('overflow-visible', className)}>
      <defs>
        <Print id="paper-print" />
      </defs>
      <path d={shape} opacity=".16" transform="translate(0 8)" />
      <path d={shape} fill="var(--second)" />
      <path d={shape} fill="url(#paper-print)" />
      <path
        d="M52 70L96 108 84 250 40 388-24 340-42 122ZM330 66L262 112 296 250 350 376 410 330 434 126Z"
        opacity=".08"
      />
      {ends.map((end) => (
        <g key={end} fill="none" strokeWidth="15" strokeLinecap="round">
          <path d={end} stroke={paper} />
          <path d={end} stroke="#000" strokeOpacity=".1" strokeDasharray="34 50" />
        </g>
      ))}
    </svg>
  );
}

/** A box that is empty, its ribbon beside it. */
export function EmptyBox() {
  const ribbon = 'M30 150C4 150-6 172 18 178S62 168 84 182 130 190 150 180 196 172 226 182 262 172 246 158';
  return (
    <svg aria-hidden viewBox="-10 30 280 170" className="w-[260px]">
      <defs>
        <Print id="box-print" />
      </defs>
      <ellipse cx="130" cy="178" rx="112" ry="11" fill="var(--sunken)" />
      <path d="M34 96L18 60Q60 44 92 62L130 96Z" fill="var(--second)" />
      <path d="M34 96L18 60Q60 44 92 62L130 96Z" opacity=".14" />
      <path d="M226 96L242 60Q200 44 168 62L130 96Z" fill="var(--second)" />
      <path d="M226 96L242 60Q200 44 168 62L130 96Z" fill="#fff" opacity=".18" />
      <path d="M34 92H226L214 110H46Z" opacity=".38" />
      <path d="M34 92L46 176H214L226 92 206 110H54Z" fill="var(--second)" />
      <path d="M34 92L46 176H214L226 92 206 110H54Z" fill="url(#box-print)" />
      <path d="M34 92L54 110H206L226 92" fill="none" stroke="#fff" strokeOpacity=".55" strokeWidth="1.6" />
      <path d={ribbon} fill="none" stroke="var(--brand-mark)" strokeWidth="9" strokeLinecap="round" />
      <path
        d={ribbon}
        fill="none"
        stroke="#fff"
        strokeOpacity=".3"
        strokeWidth="2"
        strokeLinecap="round"
        transform="translate(0 -2)"
      />
    </svg>
  );
}
