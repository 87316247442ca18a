import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import type { StoryOf } from '../../record/story.ts';

/** Ends a gift that nobody has received, after asking. */
export function StopGift({ record }: { record: StoryOf<'transfertransaction'>['record'] }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const stop = useMutation({
    mutationFn: () => call('/api/owner/transfertransaction/stop', { id: record.id }),
    onSuccess: () => {
      setAsks(false);
      toast({ tone: 'ok', title: t`The gift is stopped` });
    },
    // Also after a refusal: it ended otherwise meanwhile.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/transfertransaction') }),
  });
  if (record.ended_at || !can('voucher', 's')) return null;
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setAsks(true)}>
        <OctagonX aria-hidden />
        {t`Stop the gift`}
      </Button>
      <Dialog open={asks} onOpenChange={setAsks}>
        <DialogContent
          title={t`Stop this gift?`}
          description={t`Its link leads to nothing from then on, and ${record.giver_name} can use the voucher again at once.`}
          foot={
            <div className="flex justify-end gap-2.5">
              <Button size="office" variant="outline" autoFocus onClick={() => setAsks(false)}>{t`Keep`}</Button>
              <Button size="office" variant="destructive" disabled={stop.isPending} onClick={() => stop.mutate()}>
                {t`Stop the gift`}
              </Button>
            </div>
          }
        >
          <FaultNote error={stop.error} />
        </DialogContent>
      </Dialog>
    </>
  );
}
