import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import type { StoryOf } from '../../record/story.ts';
import { offerStateOf } from '../../resource/status-labels.tsx';

/** Ends an offer that nobody has bought, after asking. */
export function StopOffer({ record }: { record: StoryOf<'boardtransaction'>['record'] }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const stop = useMutation({
    mutationFn: () => call('/api/owner/boardtransaction/stop', { id: record.id }),
    onSuccess: () => {
      setAsks(false);
      toast({ tone: 'ok', title: t`The offer is stopped` });
    },
    // Also after a refusal: it ended otherwise meanwhile.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/boardtransaction') }),
  });
  const paying = record.state === 'reserved';
  if ((offerStateOf(record) !== 'open' && !paying) || !can('voucher', 's')) return null;
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setAsks(true)}>
        <OctagonX aria-hidden />
        {t`Stop the offer`}
      </Button>
      <Dialog open={asks} onOpenChange={setAsks}>
        <Question
          title={t`Stop this offer?`}
          line={
            paying
              ? t`Somebody is paying for it just now. If that money comes, it goes into that person's Wallet. The offer leaves the board, and ${record.seller_name} can use the voucher again at once.`
              : t`Nobody has bought it, so nothing was paid. It leaves the board, and ${record.seller_name} can use the voucher again at once.`
          }
          keep={t`Leave it on the board`}
          button={t`Stop the offer`}
          takesAway
          of={stop}
          onYes={() => stop.mutate()}
          onDone={() => setAsks(false)}
        />
      </Dialog>
    </>
  );
}
