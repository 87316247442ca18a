import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { useSearch } from '@wlv/client/router';
import { useEffect } from 'react';

const key = 'sale-link';
const lifetime = 30 * 86_400_000;

/**
 * `?link=` names the agent who sent somebody here. A visitor's phone keeps the last one until he has signed in;
 * then it is sent to the server, which counts it for 30 days from that day.
 */
export function useSaleLink(signedIn: boolean | undefined) {
  const { link } = useSearch<{ link?: string }>();
  useEffect(() => {
    if (link) localStorage.setItem(key, JSON.stringify({ code: link, at: Date.now() }));
    if (signedIn) void tell();
  }, [link, signedIn]);
}

async function tell() {
  const stored = localStorage.getItem(key);
  if (!stored) return;
  const { code, at } = JSON.parse(stored) as { code: string; at: number };
  try {
    if (at + lifetime > Date.now()) await call('/api/user/link/open', { code });
  } catch (error) {
    // What is none, or no longer one, is forgotten. Anything else passes, and it is sent at the next visit: somebody earns by it.
    if (!(error instanceof ApiError) || ![404, 422].includes(error.code)) return;
  }
  localStorage.removeItem(key);
}
