import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { device } from '@wlv/client/device';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { toast } from '@wlv/ui/toast';
import { Download } from 'lucide-react';
import { useArea } from '../../area.tsx';
import { saveCSV } from '../../shop/save-csv.ts';

/** Saves the file of a month. LINE's browser cannot: from there it opens outside, by a link. */
export function SaveStatement({ month }: { month: string }) {
  const { t, i18n } = useLingui();
  const { liffId } = useArea();
  const phone = useQuery({ queryKey: ['device'], queryFn: () => device(liffId), staleTime: Number.POSITIVE_INFINITY });
  const take = useMutation({
    mutationFn: async () => {
      const wanted = { month, lang: i18n.locale === 'en' ? ('en' as const) : ('th' as const) };
      const { openOutside } = await device(liffId);
      if (openOutside) {
        const { secret } = await call('/api/user/wallet/statement/link', wanted);
        return openOutside(`${location.origin}/statement#${secret}`);
      }
      saveCSV(await call('/api/user/wallet/statement/file', wanted));
      toast({ tone: 'ok', title: t`The statement is in the file` });
    },
  });
  return (
    <div className="mt-3.5 grid grid-cols-1 gap-2">
      <Button variant="outline" wide disabled={take.isPending} onClick={() => take.mutate()}>
        <Download aria-hidden />
        {t`Download (csv)`}
      </Button>
      {phone.data?.openOutside && (
        <p className="text-caption text-muted-foreground">
          {t`It opens in the phone's browser, where it can be saved. The link opens once, within ten minutes.`}
        </p>
      )}
      <FaultNote error={take.error} />
    </div>
  );
}
