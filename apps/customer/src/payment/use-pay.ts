import { useMutation } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { browserPage } from '@wlv/client/browser-page';
import type { Body, Row } from '@wlv/client/call';
import { useRef } from 'react';
import { rememberCharge } from './away.ts';
import type { Card } from './card-fields.tsx';
import { tokenize } from './vault.ts';

export type Option = Row<'/api/user/wallet/payment-options'>;
export type Method = Option['method'];
export type Means = Pick<Body<'/api/user/wallet/topup'>, 'method' | 'card_token' | 'return'>;

/** How somebody pays: by QR, or with a card that the option's vault trades for a token. */
export interface Choice {
  method: Method;
  card?: Card;
  option?: Option;
}

/** What makes a payment the same as an earlier one, beside what is paid for. The card is known by its last digits. */
type SameMeans = { method: Method; card?: string };

/**
 * Pays by QR or card. After a lost answer the same payment repeats the first call (callOnce), with the first card token, so that no second
 * payment comes of it; what the gateway has refused begins anew.
 */
export function usePay<Asked extends object, Answer extends { id: string }>({
  send,
  back,
  bank,
  onSuccess,
  onError,
}: {
  send: (body: Asked & Means, intent: Asked & SameMeans) => Promise<Answer>;
  /** Where the bank's page leads back to. */
  back: string;
  /** Where the browser confirms a card, when the bank wants that. */
  bank: (answer: Answer) => string;
  onSuccess: (answer: Answer) => void;
  onError?: () => void;
}) {
  const traded = useRef<{ card: string; token: string } | null>(null);

  const token = async (option: Option, card: Card) => {
    const text = JSON.stringify(card);
    if (traded.current?.card !== text) traded.current = { card: text, token: await tokenize(option, card) };
    return traded.current.token;
  };

  return useMutation({
    mutationFn: async ({ choice, ...asked }: { choice: Choice } & Asked) => {
      const { method, card, option } = choice;
      const means: Means = { method };
      const same: SameMeans = { method };
      if (card && option) {
        means.return = back;
        means.card_token = await token(option, card);
        same.card = card.number.replace(/\s/g, '').slice(-4);
      }
      return send(
        { ...asked, ...means } as unknown as Asked & Means,
        { ...asked, ...same } as unknown as Asked & SameMeans,
      );
    },
    onSuccess: (answer) => {
      // The bank asks the card's owner on its own page, and brings him back.
      const address = bank(answer);
      if (!address) return onSuccess(answer);
      rememberCharge(answer.id);
      browserPage.open(address);
    },
    onError: (error) => {
      if (isFault(error, 'payment.refused')) traded.current = null;
      onError?.();
    },
  });
}
