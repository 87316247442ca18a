import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { call, type Detail } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip, type ChipTone } from '@wlv/ui/chip';
import { baht, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Clock, CreditCard, Landmark, RotateCcw, Send, Wallet, X } from 'lucide-react';
import { Step } from '../../shop/step.tsx';
import { changed } from './cashout-changes.ts';

type Request = Detail<'/api/user/cashout/options'>['requests'][number];
type Part = Request['parts'][number];

/** What a customer asked to be paid out, each step of it, and what he can do now. */
export function CashoutCard({ request }: { request: Request }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => call('/api/user/cashout/withdraw', { id: request.id }),
    // Also after a refusal: the shop has answered meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  const { title, tone } = useCashoutState(request);
  return (
    <Card className="grid gap-3.5 px-4 py-4">
      <div role="status" className="grid gap-3.5">
        <div>
          <p className="flex flex-wrap items-center justify-between gap-2">
            <Price satang={request.amount_satang} className="text-[24px] font-semibold text-brand-text" />
            <Chip tone={tone}>{title}</Chip>
          </p>
          <p className="text-caption text-quiet">{request.number}</p>
        </div>
        <Steps request={request} />
      </div>
      <FaultNote error={withdraw.error} />
      {request.state === 'asked' && (
        <Button wide variant="ghost" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t`Withdraw the request`}
        </Button>
      )}
    </Card>
  );
}

/** How far it is: what was approved is paid out once no part of it is on its way. */
function useCashoutState({ state, parts }: Request): { title: string; tone: ChipTone } {
  const { t } = useLingui();
  if (state !== 'approved') {
    return {
      asked: { title: t`Waits for the shop`, tone: 'warn' as const },
      refused: { title: t`Refused`, tone: 'bad' as const },
      withdrawn: { title: t`Withdrawn`, tone: 'mute' as const },
    }[state];
  }
  if (parts.some((part) => part.state === 'approved' || part.state === 'sent')) {
    return { title: t`On its way`, tone: 'info' };
  }
  if (parts.every((part) => part.state === 'failed')) return { title: t`Back in your Wallet`, tone: 'mute' };
  return { title: t`Paid out`, tone: 'ok' };
}

function Steps({ request }: { request: Request }) {
  const { t } = useLingui();
  const due = date(request.due_at);
  const late = request.state === 'asked' && Date.parse(request.due_at) < Date.now();
  const answered = request.answered_at ? dateTime(request.answered_at) : '';
  return (
    <>
      <ol className="grid gap-3" aria-label={t`Where it is now`}>
        <Step icon={<Send aria-hidden />} done title={t`You asked the shop`} line={dateTime(request.asked_at)} />
        {request.state === 'asked' && (
          <Step
            icon={<Clock aria-hidden />}
            title={late ? t`The shop should have answered by ${due}` : t`The shop should answer by ${due}`}
            line={
              late
                ? t`It has not answered yet. Nothing is paid by itself; please contact the shop.`
                : t`The money is in your Wallet until then. If you spend it, please ask again.`
            }
            warns={late}
          />
        )}
        {request.state === 'approved' && (
          <>
            <Step icon={<Wallet aria-hidden />} done title={t`The shop approved it`} line={answered} />
            {request.parts.map((part, i) => (
              <PartStep key={i} part={part} bank={request.bank} due={due} />
            ))}
          </>
        )}
        {request.state === 'refused' && (
          <Step icon={<X aria-hidden />} done quiet title={t`The shop refused it`} line={answered} />
        )}
        {request.state === 'withdrawn' && (
          <Step icon={<RotateCcw aria-hidden />} done quiet title={t`You withdrew it`} line={answered} />
        )}
      </ol>
      {request.answer && <Note tone="info" title={t`The shop says`}>{`“${request.answer}”`}</Note>}
    </>
  );
}

function PartStep({ part, bank, due }: { part: Part; bank: string; due: string }) {
  const { t } = useLingui();
  const bankName = useBankName()(bank);
  const sum = baht(part.amount_satang);
  const { digits } = part;
  const ofBank = part.method === 'bank';
  const to = ofBank
    ? t`${sum} to ${bankName} ····${digits}`
    : digits
      ? t`${sum} to your card ····${digits}`
      : t`${sum} to the card that you paid with`;
  const at = dateTime(part.at);
  const lines = {
    approved: ofBank ? t`The shop transfers it by ${due}` : t`The payment company is asked to send it`,
    sent: ofBank
      ? t`The shop has given its bank the transfer, and waits until it is confirmed`
      : t`The payment company is asked to send it`,
    done: ofBank ? t`Transferred, ${at}` : t`Sent ${at}; your bank needs about 5–10 days`,
    failed: t`It could not be sent, and is in your Wallet again since ${at}`,
  };
  return (
    <Step
      icon={ofBank ? <Landmark aria-hidden /> : <CreditCard aria-hidden />}
      done={part.state === 'done' || part.state === 'failed'}
      quiet={part.state === 'failed'}
      title={to}
      line={lines[part.state]}
    />
  );
}
