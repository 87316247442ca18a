import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** The next step, sticking to the bottom of a phone's screen. Pages that have one pad their content by 108. */
export function ActionFoot({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div data-slot="action-foot" className="safe-bottom-28 fixed inset-x-0 bottom-0 z-30 bg-card px-4 pt-3 shadow-foot">
      <div className={clsx('mx-auto max-w-[760px]', className)} {...props} />
    </div>
  );
}
