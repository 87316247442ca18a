import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

/** A logo beside what is asked of it. */
export function LogoRow({ logo, children }: { logo: ReactNode; children?: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className="flex items-start gap-4">
      {logo}
      <div>
        <p className="font-medium">{t`Logo`}</p>
        <p className="text-caption text-quiet">{t`PNG, JPEG or WebP, square, 256 px or more; on white`}</p>
        {children}
      </div>
    </div>
  );
}
