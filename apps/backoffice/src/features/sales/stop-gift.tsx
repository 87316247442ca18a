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
        <Question
          title={t`Stop this gift?`}
          line={t`Its link leads to nothing from then on, and ${record.giver_name} can use the voucher again at once.`}
          keep={t`Keep`}
          button={t`Stop the gift`}
          takesAway
          of={stop}
          onYes={() => stop.mutate()}
          onDone={() => setAsks(false)}
        />
      </Dialog>
    </>
  );
}
