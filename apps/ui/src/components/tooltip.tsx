import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** A word for an icon, on hover and focus. Nothing that must be read stands only here. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            data-slot="tooltip"
            sideOffset={6}
            className="z-[70] max-w-64 rounded-control bg-foreground px-3 py-1.5 text-caption text-background data-[state=delayed-open]:animate-in data-[state=delayed-open]:fade-in-0"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
