import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';

const note = cva('flex gap-3 rounded-touch px-4 py-3.5 text-sm [&>svg]:mt-px [&>svg]:size-[22px] [&>svg]:shrink-0', {
  variants: {
    tone: {
      mute: 'bg-muted text-muted-foreground',
      brand: 'bg-accent text-muted-foreground [&>svg]:text-brand-text',
      ok: 'bg-ok-soft text-ok-text',
      warn: 'bg-warn-soft text-warn-text',
      bad: 'bg-bad-soft text-bad-text',
      info: 'bg-info-soft text-info-text',
    },
  },
  defaultVariants: { tone: 'mute' },
});

/** One explanation where the doubt arises: an icon, a title, a sentence. */
export function Note({
  tone,
  icon,
  title,
  className,
  children,
  ...props
}: Omit<ComponentProps<'div'>, 'title'> & VariantProps<typeof note> & { icon?: ReactNode; title?: ReactNode }) {
  return (
    <div data-slot="note" className={note({ tone, className })} {...props}>
      {icon}
      <div className="min-w-0 flex-1">
        {title && <p className="text-row font-semibold text-foreground">{title}</p>}
        {children}
      </div>
    </div>
  );
}
