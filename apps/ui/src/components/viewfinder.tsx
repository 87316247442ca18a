import type { ReactNode } from 'react';

/** 276 square with round corners, and the line that looks for the code; around it the picture is dimmed, so that words read. */
export function Viewfinder({ children }: { children: ReactNode }) {
  return (
    <div
      data-slot="viewfinder"
      className="relative grid size-[276px] place-items-center rounded-[28px] shadow-[0_0_0_200vmax_rgb(0_0_0/60%)]"
    >
      <svg
        aria-hidden
        viewBox="0 0 276 276"
        className="absolute inset-0"
        fill="none"
        stroke="#fff"
        strokeWidth="5"
        strokeLinecap="round"
      >
        <path d="M2 66V30A28 28 0 0 1 30 2h36M210 2h36a28 28 0 0 1 28 28v36M274 210v36a28 28 0 0 1-28 28h-36M66 274H30a28 28 0 0 1-28-28v-36" />
      </svg>
      <span aria-hidden className="absolute inset-x-5 top-1/2 h-[3px] rounded-full bg-[#7CE3A9]" />
      <span className="relative">{children}</span>
    </div>
  );
}
