import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { toast } from '@wlv/ui/toast';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';

/** An address for somebody else's console, with a button that copies it. */
export function AddressRow({ name, url, children }: { name: ReactNode; url: string; children?: ReactNode }) {
  const { t } = useLingui();
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <div className="font-medium">{name}</div>
        <p className="break-all text-caption text-quiet">{url}</p>
      </div>
      <div className="flex gap-3">
        <Button
          size="row"
          variant="outline"
          onClick={() =>
            void navigator.clipboard.writeText(url).then(() => toast({ tone: 'ok', title: t`Copied`, line: url }))
          }
        >
          <Copy aria-hidden />
          {t`Copy`}
        </Button>
        {children}
      </div>
    </li>
  );
}
