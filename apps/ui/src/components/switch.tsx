import { clsx } from 'clsx';
import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useFieldProps } from './field-props.ts';

export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="switch"
      {...useFieldProps()}
      className={clsx(
        'relative h-[26px] w-11 shrink-0 rounded-full bg-input transition-colors duration-[160ms] after:absolute after:-inset-2.5 data-[state=checked]:bg-primary disabled:bg-muted',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="block size-5 translate-x-[3px] rounded-full bg-white shadow-[0_1px_3px_rgb(0_0_0/25%)] transition-transform duration-[160ms] data-[state=checked]:translate-x-[21px]" />
    </Radix.Root>
  );
}
