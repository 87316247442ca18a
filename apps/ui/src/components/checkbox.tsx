import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';

export function Checkbox({
  className,
  size = 'phone',
  ...props
}: ComponentProps<typeof Radix.Root> & { size?: 'phone' | 'office' }) {
  return (
    <Radix.Root
      data-slot="checkbox"
      className={clsx(
        'group relative grid shrink-0 place-items-center text-primary-foreground shadow-[inset_0_0_0_1.5px_var(--line-strong)] transition-colors duration-[160ms] after:absolute after:-inset-2.5 data-[state=checked]:bg-primary data-[state=checked]:shadow-none data-[state=indeterminate]:bg-primary data-[state=indeterminate]:shadow-none disabled:bg-muted aria-invalid:shadow-[inset_0_0_0_1.5px_var(--bad)]',
        size === 'phone' ? 'size-6 rounded-[7px]' : 'size-5 rounded-[6px]',
        className,
      )}
      {...props}
    >
      <Radix.Indicator>
        <Check aria-hidden className="size-4 group-data-[state=indeterminate]:hidden" strokeWidth={3} />
        <Minus aria-hidden className="hidden size-4 group-data-[state=indeterminate]:block" strokeWidth={3} />
      </Radix.Indicator>
    </Radix.Root>
  );
}
