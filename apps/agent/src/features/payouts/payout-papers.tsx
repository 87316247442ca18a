import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { fetchFile, saveFile } from '@wlv/client/download';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { ReceiptText, Stamp } from 'lucide-react';
import type { Story } from './payout.ts';

/** The slip of a payout that was paid, and the certificate of what was withheld of it once it is issued. */
export function PayoutPapers({ payout: { id, state, reference, certificate } }: { payout: Story }) {
  const { t } = useLingui();
  const slip = useMutation({ mutationFn: () => hand('/api/agent/payout/slip/{id}', id, reference) });
  const paper = useMutation({ mutationFn: () => hand('/api/agent/payout/certificate/{id}', id, certificate) });
  if (state !== 'paid' && state !== 'returned') return null;
  return (
    <div className="grid grid-cols-1 gap-2.5">
      <FaultNote error={slip.error ?? paper.error} />
      <Button variant="outline" disabled={slip.isPending} onClick={() => slip.mutate()}>
        <ReceiptText aria-hidden />
        {t`Slip (PDF)`}
      </Button>
      {certificate && (
        <Button variant="outline" disabled={paper.isPending} onClick={() => paper.mutate()}>
          <Stamp aria-hidden />
          {t`Tax certificate (PDF)`}
        </Button>
      )}
    </div>
  );
}

/** Hands a paper to the phone's own sheet, where it has one that takes files: an app's browser may keep none by itself. */
async function hand(
  path: '/api/agent/payout/slip/{id}' | '/api/agent/payout/certificate/{id}',
  id: string,
  name: string,
) {
  const file = new File([await fetchFile(path, id)], `${name}.pdf`, { type: 'application/pdf' });
  const phone = matchMedia('(pointer: coarse)').matches;
  if (!phone || !navigator.canShare?.({ files: [file] })) {
    saveFile(file, file.name);
    return;
  }
  await navigator.share({ files: [file] }).catch((error: Error) => {
    if (error.name !== 'AbortError') saveFile(file, file.name);
  });
}
