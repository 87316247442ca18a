import { useMutation } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
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

/**
 * Pays by QR or card. A second tap after a lost answer repeats the first call, with its key and the same token, so that no
 * second payment comes of it; what the gateway has refused begins anew.
 */
export function usePay<Asked extends object, Answer extends { id: string }>({
  send,
  back,
  bank,
  onSuccess,
  onError,
}: {
  send: (body: Asked & Means, idempotencyKey: string) => Promise<Answer>;
  /** Where the bank's page leads back to. */
  back: string;
  /** Where the browser confirms a card, when the bank wants that. */
  bank: (answer: Answer) => string;
  onSuccess: (answer: Answer) => void;
  onError?: () => void;
}) {
  const keys = useRef(new Map<string, string>());
  const traded = useRef<{ card: string; token: string } | null>(null);

  const token = async (option: Option, card: Card) => {
    const text = JSON.stringify(card);
    if (traded.current?.card !== text) traded.current = { card: text, token: await tokenize(option, card) };
    return traded.current.token;
  };
  const keyFor = (body: unknown) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? crypto.randomUUID();
    keys.current.set(text, key);
    return key;
  };

  return useMutation({
    mutationFn: async ({ choice, ...asked }: { choice: Choice } & Asked) => {
      const { method, card, option } = choice;
      const means: Means = { method };
      if (card && option) {
        means.return = back;
        means.card_token = await token(option, card);
      }
      const body = { ...asked, ...means } as unknown as Asked & Means;
      return send(body, keyFor(body));
    },
    onSuccess: (answer) => {
      // The bank asks the card's owner on its own page, and brings him back.
      const address = bank(answer);
      if (!address) return onSuccess(answer);
      rememberCharge(answer.id);
      location.assign(address);
    },
    onError: (error) => {
      if (isFault(error, 'payment.refused')) {
        keys.current.clear();
        traded.current = null;
      }
      onError?.();
    },
  });
}
