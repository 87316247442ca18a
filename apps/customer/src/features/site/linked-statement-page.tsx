import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { Download, FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { saveCSV } from '../../shop/save-csv.ts';

/**
 * The file of a statement that a link opens once. The secret stands behind the #, so no server sees it in an address; it goes from there
 * at once. The file is saved when its reader says so: a browser refuses what nobody has asked for.
 */
export function LinkedStatementPage() {
  const { t } = useLingui();
  useTitle(t`Wallet statement`);
  const [secret] = useState(() => location.hash.slice(1));
  const file = useQuery({
    queryKey: ['statement', secret],
    queryFn: async () => {
      history.replaceState(null, '', location.pathname);
      return call('/api/user/wallet/statement/open', { secret });
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="mx-auto w-full max-w-[560px] px-4 py-6">
      {file.isPending && <Skeleton className="h-[214px] rounded-card" />}
      {file.data && (
        <Card className="grid grid-cols-1 gap-4 p-[18px]">
          <div className="flex items-center gap-3.5">
            <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-accent text-accent-foreground">
              <FileSpreadsheet aria-hidden className="size-5" />
            </span>
            <div className="min-w-0 flex-1">
              <h1 className="text-h2 font-semibold">{t`Wallet statement`}</h1>
              <p className="truncate text-caption text-quiet">{file.data.name}</p>
            </div>
          </div>
          <Button wide onClick={() => saveCSV(file.data)}>
            <Download aria-hidden />
            {t`Save the file`}
          </Button>
          <p className="text-caption text-muted-foreground">
            {t`Save it before you leave this page: its link does not open a second time.`}
          </p>
        </Card>
      )}
      <FaultNote error={file.error} />
    </div>
  );
}
