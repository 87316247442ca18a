import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { PrintOn } from '@wlv/client/receipt/print-on';
import { type Paper, ReceiptSheet } from '@wlv/client/receipt/sheet';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Skeleton } from '@wlv/ui/skeleton';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';

/** Opens the receipt of an order that was paid, to be printed on a sheet or on the counter's roll. */
export function OrderReceipt({ id }: { id: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [paper, setPaper] = useState<Paper>('a4');
  const receipt = useQuery({ ...query('/api/owner/receipt/get', { kind: 'order', id }), enabled: open, staleTime: 0 });
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="office" variant="outline">
          <ReceiptText aria-hidden />
          {t`Receipt`}
        </Button>
      </DialogTrigger>
      <DialogContent title={t`Receipt`} foot={receipt.data && <PrintOn paper={paper} onPaper={setPaper} />}>
        {receipt.isError && (
          <Failure title={t`The receipt did not load`} error={receipt.error} onRetry={() => void receipt.refetch()} />
        )}
        {receipt.isPending && <Skeleton className="h-[420px] rounded-card" />}
        {receipt.data && <ReceiptSheet receipt={receipt.data} paper={paper} />}
      </DialogContent>
    </Dialog>
  );
}
