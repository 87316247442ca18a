import { clsx } from 'clsx';
import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;
export const PopoverAnchor = Radix.Anchor;
export const PopoverClose = Radix.Close;

/** A small form beside what it changes. */
export function PopoverContent({
  className,
  sideOffset = 6,
  align = 'start',
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="popover-content"
        sideOffset={sideOffset}
        align={align}
        collisionPadding={12}
        className={clsx(
          'z-50 w-72 max-w-[calc(100vw-24px)] rounded-touch bg-popover p-4 text-sm text-popover-foreground shadow-float outline-none data-[state=open]:animate-in data-[state=open]:fade-in-0',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}
