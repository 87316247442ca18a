import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** The pieces of a data table: sticky sunken head, hairlines, figures to the right. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table data-slot="table" className={clsx('w-full border-collapse text-sm', className)} {...props} />;
}

export function TableHead({ className, ...props }: ComponentProps<'thead'>) {
  return <thead data-slot="table-head" className={clsx('sticky top-0 z-10', className)} {...props} />;
}

export function TableHeader({ className, numeric, ...props }: ComponentProps<'th'> & { numeric?: boolean }) {
  return (
    <th
      data-slot="table-header"
      scope="col"
      className={clsx(
        'h-[42px] whitespace-nowrap bg-muted px-3 text-caption font-medium text-muted-foreground',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
      {...props}
    />
  );
}

export const TableBody = (props: ComponentProps<'tbody'>) => <tbody data-slot="table-body" {...props} />;

export function TableRow({ className, selected, ...props }: ComponentProps<'tr'> & { selected?: boolean }) {
  return (
    <tr
      data-slot="table-row"
      aria-selected={selected}
      className={clsx('hover:bg-muted/60 aria-selected:bg-accent', className)}
      {...props}
    />
  );
}

export function TableCell({
  className,
  numeric,
  compact,
  ...props
}: ComponentProps<'td'> & { numeric?: boolean; compact?: boolean }) {
  return (
    <td
      data-slot="table-cell"
      className={clsx(
        'px-3 shadow-[inset_0_-1px_0_var(--line)]',
        compact ? 'h-11' : 'h-[58px]',
        numeric && 'text-right',
        className,
      )}
      {...props}
    />
  );
}
