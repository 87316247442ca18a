import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidates, mutation, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { lastDay } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { CalendarPlus, Gift as GiftIcon, Undo2 } from 'lucide-react';
import { type Gift, nextLastDay } from './gift.ts';

/** Writes the answer where the page reads it, and reads anew what it has changed. */
function useGiftChange(path: '/api/user/transfer/withdraw' | '/api/user/transfer/begin' | '/api/user/transfer/extend') {
  const client = useQueryClient();
  return useMutation({
    ...mutation(path),
    onSuccess: (gift: Gift, ...rest) => {
      client.setQueryData(query('/api/user/transfer/detail', { id: gift.id }).queryKey, gift);
      return invalidates(
        '/api/user/transfer/list',
        '/api/user/voucher/list',
        '/api/user/voucher/detail',
      )(gift, ...rest);
    },
    // It has changed meanwhile: the page says how.
    onError: (_error, ...rest) => invalidates('/api/user/transfer/detail')(null, ...rest),
  });
}

/** Takes a gift back that nobody has received; asks first. */
export function Withdraw({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const withdraw = useGiftChange('/api/user/transfer/withdraw');
  const group = gift.people > 1;
  const left = gift.people - gift.takers.length;
  const done = ({ state }: Gift) => {
    if (state === 'withdrawn') toast({ tone: 'ok', title: t`You took it back` });
    if (state === 'claimed') toast({ tone: 'bad', title: t`Somebody has received it meanwhile` });
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="destructive" wide>
          <Undo2 aria-hidden />
          {group ? t`Take ${left} envelopes back` : t`Take it back`}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={group ? t`Take back what is left?` : t`Take this gift back?`}
        description={
          group
            ? t`What nobody has taken is yours again at once. The link that you sent leads to nothing from then on.`
            : t`The voucher is yours to use again at once. The link that you sent leads to nothing from then on.`
        }
        foot={
          <div className="flex gap-2.5">
            <DialogClose asChild>
              <Button variant="outline" className="flex-1">{t`Leave it`}</Button>
            </DialogClose>
            <Button
              variant="destructive"
              className="flex-1"
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate({ id: gift.id }, { onSuccess: done })}
            >
              <Undo2 aria-hidden />
              {withdraw.isPending ? t`One moment…` : t`Take it back`}
            </Button>
          </div>
        }
      >
        <FaultNote error={withdraw.error} />
      </DialogContent>
    </Dialog>
  );
}

/** Opens a link now that would open later. */
export function Begin({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const begin = useGiftChange('/api/user/transfer/begin');
  return (
    <ActionFoot>
      <FaultNote error={begin.error} className="mb-2.5" />
      <Button wide disabled={begin.isPending} aria-busy={begin.isPending} onClick={() => begin.mutate({ id: gift.id })}>
        <GiftIcon aria-hidden />
        {begin.isPending ? t`One moment…` : t`Send it now instead`}
      </Button>
    </ActionFoot>
  );
}

/** On the last day of a link, once: the same days again, no longer than its vouchers. */
export function Extend({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const extend = useGiftChange('/api/user/transfer/extend');
  const validUntil = gift.contents.map(({ valid_until }) => valid_until).sort()[0];
  if (!gift.may_extend || !validUntil) return null;
  const { day } = nextLastDay(validUntil, gift.days);
  if (day === lastDay(gift.expires_at)) return null;
  return (
    <Card className="grid grid-cols-1 gap-3 px-4 py-3.5">
      <div>
        <p className="text-row font-medium">{t`Today is the last day of the link`}</p>
        <p className="text-caption text-quiet">{t`You can keep it open once more, until ${day}.`}</p>
      </div>
      <FaultNote error={extend.error} />
      <Button variant="soft" size="md" wide disabled={extend.isPending} onClick={() => extend.mutate({ id: gift.id })}>
        <CalendarPlus aria-hidden />
        {extend.isPending ? t`One moment…` : t`Keep it open until ${day}`}
      </Button>
    </Card>
  );
}
