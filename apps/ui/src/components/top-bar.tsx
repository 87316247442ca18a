import { useLingui } from '@lingui/react/macro';
import { clsx } from 'clsx';
import { ChevronLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

/** The head of an inner screen: back, title, at most two actions. */
export function TopBar({
  title,
  onBack,
  closes,
  children,
  className,
}: {
  title: ReactNode;
  onBack?: () => void;
  /** The screen lies over another: a cross instead of the arrow. */
  closes?: boolean;
  children?: ReactNode;
  className?: string;
}) {
  const { t } = useLingui();
  return (
    <div data-slot="top-bar" className={clsx('flex h-[60px] items-center gap-1 px-2', className)}>
      {onBack && (
        <IconButton label={closes ? t`Close` : t`Back`} onClick={onBack}>
          {closes ? <X aria-hidden className="size-6!" /> : <ChevronLeft aria-hidden className="size-6!" />}
        </IconButton>
      )}
      <h1 className={clsx('min-w-0 flex-1 truncate text-h2 font-semibold', !onBack && 'pl-2')}>{title}</h1>
      <div className="flex items-center gap-1 pr-2">{children}</div>
    </div>
  );
}
