import { clsx } from 'clsx';
import { getNonce } from 'get-nonce';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useFieldProps } from './field-props.ts';

/** One of a short list. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder,
  label,
  size = 'phone',
  disabled,
}: {
  value: Value | undefined;
  onChange: (value: Value) => void;
  options: { value: Value; label: ReactNode }[];
  placeholder?: string;
  /** For those who do not see it, where no Field names it. */
  label?: string;
  size?: 'phone' | 'office';
  disabled?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useStillBehind(open, trigger);
  return (
    <Radix.Root
      value={value ?? ''}
      onValueChange={(next) => onChange(next as Value)}
      onOpenChange={setOpen}
      disabled={disabled}
    >
      <Radix.Trigger
        ref={trigger}
        data-slot="select-trigger"
        aria-label={label}
        {...useFieldProps()}
        className={clsx(
          'flex w-full items-center justify-between gap-2.5 bg-card text-left shadow-[inset_0_0_0_1px_var(--line-strong)] aria-invalid:shadow-[inset_0_0_0_1.5px_var(--bad)] data-placeholder:text-quiet',
          size === 'phone' ? 'h-12 rounded-touch px-3.5 text-base' : 'h-[42px] rounded-control px-3 text-sm',
        )}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <ChevronDown aria-hidden className="size-[18px] shrink-0 text-quiet" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          data-slot="select-content"
          position="popper"
          sideOffset={6}
          className="z-50 max-h-80 min-w-(--radix-select-trigger-width) overflow-y-auto rounded-touch bg-popover p-1.5 text-popover-foreground shadow-float data-[state=open]:animate-in data-[state=open]:fade-in-0"
        >
          {/* The list itself scrolls: it is the one part that keyboards are known to reach. */}
          <Radix.Viewport nonce={getNonce()} style={{ overflow: 'visible' }}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-small px-3 py-2 text-sm outline-none data-highlighted:bg-accent data-highlighted:text-accent-foreground"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check aria-hidden className="size-4" strokeWidth={2} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * While the list is open Radix hides the page from screen readers, and yet leaves its links and buttons focusable: what the
 * list opened from takes no focus either.
 */
function useStillBehind(open: boolean, trigger: { current: HTMLElement | null }) {
  useEffect(() => {
    const behind = open && trigger.current?.closest<HTMLElement>('body > *');
    if (!behind) return;
    behind.inert = true;
    return () => {
      behind.inert = false;
    };
  }, [open, trigger]);
}
