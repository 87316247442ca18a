import { ApiError } from '@wlv/client/api-error';
import type { Row } from '@wlv/client/call';
import { loadFaults } from '@wlv/client/faults';
import type { Card } from './card-fields.tsx';

type Option = Row<'/api/user/wallet/payment-options'>;

/**
 * Trades a card for a token at the gateway's own vault, from the browser: the number never passes our server (PCI DSS SAQ A).
 * The form and the key's Basic header are Omise's.
 */
export async function tokenize(option: Option, card: Card): Promise<string> {
  const [month = '', year = ''] = card.expiry.split('/');
  const form = new URLSearchParams({
    'card[name]': card.name.trim(),
    'card[number]': card.number.replace(/\s/g, ''),
    'card[expiration_month]': String(Number(month)),
    'card[expiration_year]': `20${year}`,
    'card[security_code]': card.code,
  });

  const response = await fetch(`${option.vault_url.replace(/\/$/, '')}/tokens`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${option.public_key}:`)}` },
    body: form,
  }).catch(() => {
    throw new ApiError('the vault is out of reach', { code: 0, fault: 'client.offline' });
  });

  const token: { object: string; id: string; message?: string } = await response.json();
  if (!response.ok || token.object !== 'token') {
    await loadFaults();
    throw new ApiError(token.message ?? 'the vault refused the card', {
      code: response.status,
      fault: 'client.card_refused',
    });
  }
  return token.id;
}
