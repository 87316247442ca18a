import { clsx } from 'clsx';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';

export const DropdownMenu = Radix.Root;
export const DropdownMenuTrigger = Radix.Trigger;

export function DropdownMenuContent({
  className,
  sideOffset = 6,
  align = 'end',
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        data-slot="dropdown-menu-content"
        sideOffset={sideOffset}
        align={align}
        className={clsx(
          'z-50 min-w-48 rounded-touch bg-popover p-1.5 text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function DropdownMenuItem({
  className,
  destructive,
  ...props
}: ComponentProps<typeof Radix.Item> & { destructive?: boolean }) {
  return (
    <Radix.Item
      data-slot="dropdown-menu-item"
      className={clsx(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-small px-3 text-sm outline-none data-disabled:text-quiet data-highlighted:bg-accent [&_svg]:size-[18px]',
        destructive && 'text-destructive',
        className,
      )}
      {...props}
    />
  );
}

export function DropdownMenuSeparator() {
  return <Radix.Separator data-slot="dropdown-menu-separator" className="my-1.5 h-px bg-border" />;
}
