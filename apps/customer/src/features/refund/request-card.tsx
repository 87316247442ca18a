import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { baht, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Clock, CreditCard, Landmark, RotateCcw, Send, Wallet, X } from 'lucide-react';
import { Step } from '../../shop/step.tsx';
import { changed, type Request, useRequestStates } from './refund.ts';

/** What somebody asked the shop to refund, each step of it, and what he can do now. */
export function RequestCard({ request }: { request: Request }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const states = useRequestStates();
  const { title, tone } = states[request.state];
  // Also after a refusal: the shop has answered meanwhile.
  const onSettled = () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) });
  const withdraw = useMutation({
    mutationFn: () => call('/api/user/refund/withdraw', { id: request.id }),
    onSettled,
  });
  const renew = useMutation({
    mutationFn: () => callOnce('/api/user/refund/renew', { id: request.id, amount_satang: request.renewable_satang }),
    onSettled,
  });
  const rest = baht(request.renewable_satang);
  return (
    <Card className="grid gap-3.5 px-4 py-4">
      <div role="status" className="grid gap-3.5">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <Price satang={request.amount_satang} className="text-[24px] font-semibold text-brand-text" />
          <Chip tone={tone}>{title}</Chip>
        </p>
        <Named request={request} />
        {request.words && <p className="text-sm text-muted-foreground">“{request.words}”</p>}
        <Steps request={request} />
      </div>
      <FaultNote error={withdraw.error ?? renew.error} />
      {request.state === 'changed' && request.renewable_satang > 0 && (
        <Button wide disabled={renew.isPending} onClick={() => renew.mutate()}>
          <Send aria-hidden />
          {t`Ask for ${rest} instead`}
        </Button>
      )}
      {request.state === 'asked' && (
        <Button wide variant="ghost" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t`Withdraw the request`}
        </Button>
      )}
    </Card>
  );
}

/** The items that were named; while it matters, also what became of them since. */
function Named({ request }: { request: Request }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const open = request.state === 'asked' || request.state === 'changed';
  return (
    <ul className="grid gap-1 text-sm">
      {request.parts.map((part) => {
        const { kind, items, items_left: left, refused } = part;
        const gone = items - left;
        return (
          <li key={part.voucher_id}>
            <span className="flex justify-between gap-4">
              <span className="min-w-0">
                {text(part, 'name')}
                {kind === 'item' && items > 1 && ` × ${items}`}
              </span>
              <span className="shrink-0 tabular-nums">{baht(part.amount_satang)}</span>
            </span>
            {open && gone > 0 && (
              <span className="block text-caption text-warn-text">
                {kind === 'baht' || left === 0
                  ? t`Used or no longer yours since you asked`
                  : t`${gone} used or no longer yours since you asked`}
              </span>
            )}
            {request.state === 'asked' && gone === 0 && refused && (
              <span className="block text-caption text-warn-text">{faultSentence(i18n, refused)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Steps({ request }: { request: Request }) {
  const { t } = useLingui();
  const due = date(request.due_at);
  const account = `${useBankName()(request.bank)} ····${request.account_digits}`;
  const ways = {
    wallet: {
      icon: <Wallet aria-hidden />,
      title: t`Into your Wallet`,
      line: t`At once, when the shop has approved it`,
      done: t`Refunded to your Wallet`,
    },
    card: {
      icon: <CreditCard aria-hidden />,
      title: t`To the card that you paid with`,
      line: t`Your bank needs about 5–10 days, when the shop has approved it. If the card cannot take it, it goes into your Wallet.`,
      done: t`The shop refunds the card that you paid with`,
    },
    bank: {
      icon: <Landmark aria-hidden />,
      title: account,
      line: t`The shop transfers it, when it has approved it. If it cannot be transferred, it goes into your Wallet.`,
      done: t`The shop transfers it to ${account}`,
    },
  };
  const way = ways[request.method];
  const late = request.state === 'asked' && Date.parse(request.due_at) < Date.now();
  const answered = request.answered_at ? dateTime(request.answered_at) : '';
  return (
    <>
      <ol className="grid gap-3" aria-label={t`Where it is now`}>
        <Step icon={<Send aria-hidden />} done title={t`You asked the shop`} line={dateTime(request.asked_at)} />
        {request.state === 'asked' && (
          <>
            <Step
              icon={<Clock aria-hidden />}
              title={late ? t`The shop should have answered by ${due}` : t`The shop should answer by ${due}`}
              line={
                late
                  ? t`It has not answered yet. Nothing is refunded by itself; please contact the shop.`
                  : t`What you asked for can still be used. What is used is not refunded.`
              }
              warns={late}
            />
            <Step icon={way.icon} title={way.title} line={way.line} />
          </>
        )}
        {request.state === 'done' && <Step icon={way.icon} done title={way.done} line={answered} />}
        {request.state === 'refused' && (
          <Step icon={<X aria-hidden />} done quiet title={t`The shop refused it`} line={answered} />
        )}
        {request.state === 'withdrawn' && (
          <Step icon={<RotateCcw aria-hidden />} done quiet title={t`You withdrew it`} line={answered} />
        )}
        {request.state === 'changed' && (
          <Step
            icon={<RotateCcw aria-hidden />}
            done
            quiet
            title={t`Some of it is gone, so nothing was refunded`}
            line={answered}
          />
        )}
      </ol>
      {request.answer && <Note tone="info" title={t`The shop says`}>{`“${request.answer}”`}</Note>}
    </>
  );
}
