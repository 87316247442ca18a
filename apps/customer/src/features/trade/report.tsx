import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type Body, invalidates, mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import type { OfferDetail } from './offer.ts';

type Reason = Body<'/api/user/trade/report'>['reason'];

/** Lets the shop know of an offer, for a reason from a list; each customer once. */
export function Report({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const signedIn = useSignedIn('user');
  const [open, setOpen] = useState(false);
  const report = useMutation({
    ...mutation('/api/user/trade/report'),
    onSuccess: async (...answer) => {
      setOpen(false);
      toast({ tone: 'ok', title: t`Thank you. The shop looks at it.` });
      await invalidates('/api/user/trade/detail')(...answer);
    },
  });
  if (!signedIn || offer.own) return null;
  if (offer.reported) return <p className="px-1 text-caption text-quiet">{t`You have reported this offer.`}</p>;
  const reasons: [Reason, string][] = [
    ['outside', t`The seller wants to be paid elsewhere`],
    ['not_theirs', t`It may not be the seller's to sell`],
    ['price', t`The price is misleading`],
    ['other', t`Something else is wrong`],
  ];
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="md" className="justify-self-start text-quiet">
          <Flag aria-hidden />
          {t`Report this offer`}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t`What is wrong with it?`}
        description={t`Only the shop reads this. The seller does not learn that it was you.`}
      >
        <div className="grid grid-cols-1 gap-2.5">
          {reasons.map(([reason, words]) => (
            <Button
              key={reason}
              variant="outline"
              wide
              disabled={report.isPending}
              onClick={() => report.mutate({ id: offer.id, reason })}
            >
              {words}
            </Button>
          ))}
          <FaultNote error={report.error} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
