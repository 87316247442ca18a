import { clsx } from 'clsx';
import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';

export function Tabs({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root data-slot="tabs" className={clsx('grid grid-cols-1 gap-3', className)} {...props} />;
}

/** `segment` chooses between few views of one thing; `underline` heads saved views and sections. */
export function TabsList({
  className,
  variant = 'segment',
  ...props
}: ComponentProps<typeof Radix.List> & { variant?: 'segment' | 'underline' }) {
  return (
    <Radix.List
      data-slot="tabs-list"
      data-variant={variant}
      className={clsx(
        'group/tabs no-scrollbar flex max-w-full overflow-x-auto',
        variant === 'segment' ? 'w-fit rounded-control bg-muted p-[3px]' : 'gap-1 shadow-[inset_0_-1px_0_var(--line)]',
        className,
      )}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      data-slot="tabs-trigger"
      className={clsx(
        'flex items-center gap-[7px] whitespace-nowrap text-sm font-medium text-muted-foreground transition-colors duration-[160ms]',
        'group-data-[variant=segment]/tabs:h-[34px] group-data-[variant=segment]/tabs:rounded-[9px] group-data-[variant=segment]/tabs:px-3.5 group-data-[variant=segment]/tabs:data-[state=active]:bg-popover group-data-[variant=segment]/tabs:data-[state=active]:text-foreground group-data-[variant=segment]/tabs:data-[state=active]:shadow-[0_1px_3px_rgb(24_20_14/14%)]',
        'group-data-[variant=underline]/tabs:h-11 group-data-[variant=underline]/tabs:border-b-2 group-data-[variant=underline]/tabs:border-transparent group-data-[variant=underline]/tabs:px-3 group-data-[variant=underline]/tabs:data-[state=active]:border-brand-mark group-data-[variant=underline]/tabs:data-[state=active]:text-brand-text',
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent(props: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content data-slot="tabs-content" {...props} />;
}
