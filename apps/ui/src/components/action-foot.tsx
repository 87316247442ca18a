import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/**
 * The next step, over the bottom of a phone's screen, or above its tabs (`over-tabs`); pages that have one pad their content by 108. On a large screen it
 * stands at the end of its column, and sticks there while the column is longer than the screen.
 */
export function ActionFoot({ onCard, className, ...props }: ComponentProps<'div'> & { onCard?: boolean }) {
  return (
    <div
      data-slot="action-foot"
      data-foot=""
      className={clsx(
        'foot-place fixed inset-x-0 z-30 bg-card px-4 pt-3 shadow-foot sm:px-6',
        'lg:sticky lg:bottom-0 lg:px-0 lg:pb-6 lg:shadow-none',
        !onCard && 'lg:bg-background',
      )}
    >
      <div className={clsx('mx-auto max-w-[712px]', className)} {...props} />
    </div>
  );
}
