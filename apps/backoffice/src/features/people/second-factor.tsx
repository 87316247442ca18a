import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import { recordQuery } from '../../resource/calls.ts';

/** Switches off what an account asks for beside its password: its person has lost his phone and his recovery codes. */
export function SecondFactor() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const client = useQueryClient();
  const record = useQuery({ ...recordQuery('staff', id), refetchOnWindowFocus: false });
  const [asks, setAsks] = useState(false);
  const drop = useMutation({
    mutationFn: () => call('/api/owner/staff/factor/drop', { id }),
    onSuccess: async () => {
      setAsks(false);
      await client.invalidateQueries({ predicate: ({ queryKey }) => /\/staff$/.test(String(queryKey[0])) });
    },
  });
  if (!record.data?.second_factor) return null;
  return (
    <section className="grid gap-3 rounded-card p-4 shadow-[inset_0_0_0_1px_var(--line)]">
      <h3 className="flex items-center gap-2 font-medium">
        <ShieldCheck aria-hidden className="size-[18px]" />
        {t`Two-step sign-in`}
      </h3>
      <p className="text-quiet">{t`On: a code from this person's phone is asked for.`}</p>
      <FaultNote error={drop.error} />
      <Dialog open={asks} onOpenChange={setAsks}>
        <Button className="justify-self-start" variant="outline" size="office" onClick={() => setAsks(true)}>
          {t`Switch off`}
        </Button>
        {asks && (
          <Question
            title={t`Switch two-step sign-in off?`}
            line={t`Do this only if you know that the person has lost his phone. He can switch it on again himself.`}
            button={t`Switch off`}
            of={drop}
            onYes={() => drop.mutate()}
            onDone={() => setAsks(false)}
          />
        )}
      </Dialog>
    </section>
  );
}
