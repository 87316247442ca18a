import { useLingui } from '@lingui/react/macro';
import { cva, type VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

const content = cva(
  'fixed z-50 flex flex-col bg-popover text-popover-foreground shadow-float outline-none duration-[260ms] ease-in-sheet data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:duration-[180ms] data-[state=closed]:ease-out-sheet',
  {
    variants: {
      shape: {
        /* a question in the middle */
        dialog:
          'left-1/2 top-1/2 max-h-[calc(100dvh-48px)] w-[480px] max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 rounded-[20px] data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0',
        /* from below on a phone, a dialog of 480 from the tablet on */
        sheet:
          'inset-x-0 bottom-0 max-h-[calc(100dvh-32px)] rounded-t-sheet data-[state=closed]:slide-out-to-bottom data-[state=open]:slide-in-from-bottom sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-[480px] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-[20px] sm:data-[state=closed]:fade-out-0 sm:data-[state=open]:fade-in-0',
        /* the menu of a phone */
        menu: 'inset-y-0 right-0 w-[300px] max-w-[85vw] data-[state=closed]:slide-out-to-right data-[state=open]:slide-in-from-right',
      },
    },
    defaultVariants: { shape: 'dialog' },
  },
);

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

export function DialogContent({
  title,
  description,
  shape,
  foot,
  className,
  children,
  ...props
}: Omit<ComponentProps<typeof Radix.Content>, 'title'> &
  VariantProps<typeof content> & {
    title: ReactNode;
    description?: ReactNode;
    /** Stays below while the body scrolls. */
    foot?: ReactNode;
  }) {
  const { t } = useLingui();
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-50 bg-black/45 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
      <Radix.Content
        data-slot="dialog-content"
        aria-describedby={description ? undefined : ''}
        className={clsx(content({ shape }), className)}
        {...props}
      >
        <header className="flex items-start gap-3 px-5 pb-2 pt-4">
          <div className="min-w-0 flex-1 pt-2">
            <Radix.Title className="text-h2 font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-1 text-sm text-muted-foreground">{description}</Radix.Description>
            )}
          </div>
          <Radix.Close asChild>
            <IconButton label={t`Close`} className="-mr-2">
              <X aria-hidden />
            </IconButton>
          </Radix.Close>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
        {foot && (
          <footer data-foot="" className="safe-bottom-16 border-t px-5 pt-3">
            {foot}
          </footer>
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}
