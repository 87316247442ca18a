import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { PrintOn } from '@wlv/client/receipt/print-on';
import { type Paper, ReceiptSheet } from '@wlv/client/receipt/sheet';
import { Skeleton } from '@wlv/ui/skeleton';
import { useState } from 'react';

/** A receipt that a link opens once. The secret stands behind the #, so no server sees it in an address; it goes from there at once. */
export function LinkedReceiptPage() {
  const { t } = useLingui();
  useTitle(t`Receipt`);
  const [secret] = useState(() => location.hash.slice(1));
  const [paper, setPaper] = useState<Paper>('a4');
  const receipt = useQuery({
    queryKey: ['receipt', secret],
    queryFn: async () => {
      history.replaceState(null, '', location.pathname);
      return call('/api/user/receipt/open', { secret });
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="mx-auto grid w-full max-w-[560px] grid-cols-1 gap-5 px-4 py-6">
      {receipt.isPending && <Skeleton className="h-[420px] rounded-card" />}
      {receipt.data && (
        <>
          <ReceiptSheet receipt={receipt.data} paper={paper} />
          <PrintOn paper={paper} onPaper={setPaper} />
        </>
      )}
      <FaultNote error={receipt.error} />
    </div>
  );
}
