import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ApiError, errorSentence, isFault } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { amount, dateTime } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Input } from '@wlv/ui/input';
import { CircleCheck, Info, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { Basket } from './basket.ts';
import { addCode, dropCode, mostCodes, useCodes } from './codes.ts';
import type { Quote } from './quote.ts';

type Loss = Quote['lost_discounts'][number];

/** Where a code of a discount is typed; below it those that reduce the cart, and why another one does not. */
export function DiscountCode({ quote, basket }: { quote: Quote; basket: Basket }) {
  const { t } = useLingui();
  const codes = useCodes();
  const [typed, setTyped] = useState('');
  const attempt = useAttempt(basket, () => setTyped(''));
  useForgetUnknown(quote);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.trim();
    if (code && !attempt.isPending) attempt.mutate(code);
  };
  return (
    <Card className="grid grid-cols-1 gap-3 p-4">
      {codes.length < mostCodes && (
        <form onSubmit={submit} className="flex items-start gap-2.5">
          <Field label={t`Discount code`} error={useProblem(attempt.error)} className="flex-1">
            <Input
              value={typed}
              maxLength={40}
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setTyped(event.target.value);
                attempt.reset();
              }}
            />
          </Field>
          <Button type="submit" variant="outline" className="mt-[26px]" disabled={attempt.isPending}>
            {t`Use the code`}
          </Button>
        </form>
      )}
      <ul className="grid grid-cols-1 gap-1 empty:hidden">
        {codes.map((code) => (
          <UsedCode key={code} code={code} quote={quote} />
        ))}
      </ul>
    </Card>
  );
}

/** A code that is typed is tried before it is kept: one that nobody knows is not asked for again with each change of the cart. */
function useAttempt(basket: Basket, onKept: () => void) {
  const codes = useCodes();
  return useMutation({
    mutationFn: async (code: string) => {
      if (codes.includes(code)) return;
      const tried = await call('/api/user/order/quote', { lines: basket.lines, codes: [...codes, code] });
      const loss = tried.lost_discounts.find((lost) => lost.code === code);
      if (loss?.fault === 'discount.unknown') throw new ApiError('', { code: 409, fault: loss.fault });
      addCode(code);
    },
    onSuccess: onKept,
  });
}

/** What was kept and is no code any more is dropped. */
function useForgetUnknown(quote: Quote) {
  const unknown = quote.lost_discounts.find(({ fault }) => fault === 'discount.unknown')?.code;
  useEffect(() => {
    if (unknown) dropCode(unknown);
  }, [unknown]);
}

function useProblem(error: unknown) {
  const { t, i18n } = useLingui();
  if (!error) return undefined;
  // Found here and not refused by the server, so its sentence may not be there yet.
  if (isFault(error, 'discount.unknown')) return t`This code does not work. Check the letters`;
  if (!isFault(error, 'discount.too_many_tries')) return errorSentence(i18n, error);
  const seconds = (error as ApiError).detail as { retry_after_seconds?: number } | null;
  const minutes = Math.max(1, Math.ceil((seconds?.retry_after_seconds ?? 60) / 60));
  return t`Try again in ${minutes} min`;
}

function UsedCode({ code, quote }: { code: string; quote: Quote }) {
  const { t } = useLingui();
  const text = useTexts();
  const used = quote.discounts.find((discount) => discount.code === code);
  const lost = quote.lost_discounts.find((loss) => loss.code === code);
  if (!used && !lost) return null;
  return (
    <li className="flex items-start gap-2.5 text-sm">
      {used ? (
        <CircleCheck aria-hidden className="mt-3 size-[18px] shrink-0 text-ok-text" />
      ) : (
        <Info aria-hidden className="mt-3 size-[18px] shrink-0 text-warn-text" />
      )}
      <p className="min-w-0 flex-1 py-2.5">
        <span className="block break-words font-medium">{code}</span>
        <span className="block text-muted-foreground">{used ? text(used, 'name') : lost && <Why loss={lost} />}</span>
      </p>
      <IconButton label={t`Remove the code ${code}`} onClick={() => dropCode(code)}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}

/** Why a code reduces nothing, and what would help. */
function Why({ loss }: { loss: Loss }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const day = loss.at ? dateTime(loss.at) : '';
  const missing = amount(loss.missing_satang ?? 0);
  const names = (i18n.locale === 'en' ? loss.for_en.map((name, i) => name || loss.for_th[i]) : loss.for_th).join(' · ');
  const other = text(loss, 'other');
  switch (loss.fault) {
    case 'discount.not_yet':
      return t`Starts ${day}`;
    case 'discount.ended':
      return t`Ended ${day}`;
    case 'discount.used_up':
      return t`All used. You were not charged`;
    case 'discount.yours_used':
      return t`You used it ${plural(loss.times ?? 1, { one: '# time', other: '# times' })}`;
    case 'discount.too_little':
      return t`Add ฿${missing} to use it`;
    case 'discount.too_few':
      return t`Add ${plural(loss.missing_items ?? 1, { one: '# piece', other: '# pieces' })} to use it`;
    case 'discount.other_goods':
      return names ? t`For ${names} only` : t`For other packages only`;
    case 'discount.first_only':
      return t`First purchase only`;
    case 'discount.not_together':
      return t`Not with ${other}; we kept the cheaper`;
    case 'discount.nothing_left':
      return t`There is nothing left to reduce`;
    default:
      return t`This code does not work. Check the letters`;
  }
}
