import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';

/** Not modal: a modal one hides the page from screen readers, and yet leaves its links and buttons focusable. */
export function DropdownMenu(props: Omit<ComponentProps<typeof Radix.Root>, 'modal'>) {
  return <Radix.Root modal={false} {...props} />;
}

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

/** Switches something on and off; the menu stays open. */
export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem
      data-slot="dropdown-menu-checkbox-item"
      onSelect={(event) => event.preventDefault()}
      className={clsx(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-small px-3 text-sm outline-none data-highlighted:bg-accent',
        className,
      )}
      {...props}
    >
      <span className="grid size-5 shrink-0 place-items-center rounded-[6px] shadow-[inset_0_0_0_1.5px_var(--line-strong)]">
        <Radix.ItemIndicator>
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export function DropdownMenuSeparator() {
  return <Radix.Separator data-slot="dropdown-menu-separator" className="my-1.5 h-px bg-border" />;
}
