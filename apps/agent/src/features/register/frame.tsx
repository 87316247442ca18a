import { useLingui } from '@lingui/react/macro';
import { IconButton } from '@wlv/ui/icon-button';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';

/** A screen of the registration: its title, and the way back where there is one. */
export function Frame({
  title,
  onBack,
  children,
}: {
  title: string;
  onBack?: (() => void) | undefined;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <div className="mx-auto grid max-w-[560px] grid-cols-1 px-4 pb-[108px] pt-3 sm:px-6 lg:pt-10">
      <div className="flex min-h-11 items-center gap-2.5">
        {onBack && (
          <IconButton label={t`Back`} onClick={onBack} className="-ml-2">
            <ChevronLeft aria-hidden />
          </IconButton>
        )}
        <h1 className="text-h2 font-semibold">{title}</h1>
      </div>
      {children}
    </div>
  );
}
