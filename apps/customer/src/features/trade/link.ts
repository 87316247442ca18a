import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { decoded, type Place } from '@wlv/client/routes';

/** The side from which a link looks at the board, and what it names: in its parts, `/{main}/{type}/{unique}/{sp}`. */
const link = /(?:^|\/)trade(?:user)?(?:\/\d+-\w+)?\/(buy|sale)\/([^/]+)\/([^/]+)/i;
const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reports whether a path leads to the board, whatever stands before that: what came in `liff.state` stands behind a page of ours. */
export const isTradeLink = (pathname: string) => link.test(decoded(pathname));

/**
 * The page that a link of the board leads to. A buyer comes to the offer, else to the list; a seller to his offer, to where he offers his
 * voucher, else to what he offered. The record may stand in either part, the shop's name in the other.
 */
export async function tradePage({ pathname, search, hash }: Place) {
  const [, first = '', second = ''] = pathname.split('/');
  const base = /^(tradeuser|welovevoucher)$/i.test(first) ? `/welovevoucher/${second}` : '/user';
  const [, type = 'buy', ...parts] = link.exec(decoded(pathname)) ?? [];
  const records = parts.filter((part) => id.test(part)).reverse();
  return `${base}/${await page(type.toLowerCase(), records)}${search}${hash}`;
}

async function page(type: string, records: string[]) {
  const [record] = records;
  if (!record) return type === 'buy' ? 'trade' : 'sale';
  if (type === 'buy' && records.length === 1) return `trade/${record}`;
  for (const offer of records) if (await isOffer(offer)) return `trade/${offer}`;
  return type === 'buy' ? `trade/${record}` : `activevoucher/${record}/sell`;
}

/** Whoever may not see it, or has no connection, reads on the offer's page why. */
async function isOffer(record: string) {
  try {
    await call('/api/user/trade/detail', { id: record });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return error.fault !== 'offer.not_found';
    throw error;
  }
}
