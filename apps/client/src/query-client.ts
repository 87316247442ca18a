import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isFault } from './api-error.ts';
import type { Boot } from './boot.ts';
import { type Audience, audienceOf, session } from './session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** Whose token a read was sent with, where its path does not say it. */
    queryMeta: { audience?: Audience };
  }
}

/**
 * The app's cache. The end of a session is noticed here, once for every read and write, and so is a text that came into
 * force meanwhile and waits to be accepted; what the page brought is in it.
 */
export function newQueryClient(boot: Boot) {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey, meta }) => endSession(error, queryKey[0], meta?.audience),
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        endSession(error, undefined);
        return askConsent(client, error);
      },
    }),
    defaultOptions: {
      // Without a connection a write fails at once and says so; it does not wait unseen.
      mutations: { networkMode: 'always' },
      queries: {
        staleTime: 30_000,
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.code === 0 || error.code >= 500),
      },
    },
  });

  for (const { path, body, detail } of boot.data) {
    client.setQueryData([path, body], detail);
    if (isPage(detail)) client.setQueryData([path, body, 'pages'], { pages: [detail], pageParams: [''] });
  }
  return client;
}

function isPage(detail: unknown) {
  return typeof detail === 'object' && detail !== null && 'data' in detail && 'next' in detail;
}

function endSession(error: Error, path: unknown, sentAs?: Audience) {
  if (!(error instanceof ApiError) || !error.sessionExpired) return;
  const audience = sentAs ?? (typeof path === 'string' ? audienceOf(path) : currentAudience());
  // A visitor has no session that could end: he is only asked to sign in.
  if (audience && session.token(audience)) session.expire(audience);
}

/** What is open is asked for anew, and the shell shows it (entry/consent-gate.tsx). */
async function askConsent(client: QueryClient, error: Error) {
  if (!isFault(error, 'consent.missing')) return;
  await client.invalidateQueries({ queryKey: [`/api/${currentAudience()}/consent/open`] });
}

/** A write does not name its path: the page's area does. */
function currentAudience() {
  const [, area] = location.pathname.split('/');
  if (area === 'owner' || area === 'staff') return area;
  if (area === 'advwsadmin') return 'admin';
  return area === 'weloveagent' ? 'agent' : 'user';
}
