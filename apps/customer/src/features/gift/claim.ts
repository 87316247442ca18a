import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, isFault } from '@wlv/client/api-error';
import { type Body, call, invalidates } from '@wlv/client/call';
import { useSearch } from '@wlv/client/router';
import { session } from '@wlv/client/session';
import { useEffect, useState } from 'react';
import type { Gift, Wrapped } from './gift.ts';

const path = '/api/user/transfer/open';
type Link = Body<typeof path>;

/** How a gift ended that cannot be received any more, or that its link is not open yet. */
export type Over = Exclude<Gift['state'], 'open'>;

/** The last link that was unwrapped here, with its digits: who comes back from signing in does not unwrap it again. */
const unwrapped = {
  key: 'unwrapped',
  read(ref: string): Link | undefined {
    const text = localStorage.getItem(this.key);
    const last = text ? (JSON.parse(text) as Link) : undefined;
    return last?.ref === ref ? last : undefined;
  },
  keep(link: Link) {
    localStorage.setItem(this.key, JSON.stringify(link));
  },
  forget() {
    localStorage.removeItem(this.key);
  },
};

/** What the link in the address carries; main.ts keeps the last one. */
export function useRef() {
  const { ref } = useSearch<{ ref?: string }>();
  return ref ?? localStorage.getItem('ref') ?? '';
}

/** A link can be opened by anybody, so a session that is over is no reason to refuse. */
async function open(link: Link): Promise<Wrapped> {
  try {
    return await call(path, link);
  } catch (error) {
    if (!(error instanceof ApiError && error.sessionExpired && session.token('user'))) throw error;
    session.expire('user');
    return call(path, link);
  }
}

/** A link, what it leads to, and what can be done with that. */
export function useClaim(ref: string) {
  const client = useQueryClient();
  const [link, setLink] = useState(() => unwrapped.read(ref));
  const asked = link ?? { ref, digits: '' };
  const gift = useQuery({
    queryKey: [path, asked],
    queryFn: () => open(asked),
    enabled: ref !== '',
    // Each call counts as an opening.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const unlock = useMutation({ mutationFn: (digits: string) => open({ ref, digits }) });
  const receive = useMutation({
    mutationFn: () => call('/api/user/transfer/receive', asked),
    // Who has one already, from another screen, sees it.
    onError: (error) => isFault(error, 'gift.had_one') && client.invalidateQueries({ queryKey: [path] }),
    onSuccess: (received, ...rest) => {
      write(received);
      unwrapped.forget();
      return invalidates('/api/user/voucher/list')(received, ...rest);
    },
  });
  const thank = useMutation({
    mutationFn: (id: string) => call('/api/user/transfer/thank', { id }),
    onSuccess: write,
  });
  const decline = useMutation({
    mutationFn: () => call('/api/user/transfer/decline', asked),
    onSuccess: () => unwrapped.forget(),
  });

  /** It is the person's own from now on. */
  function write({ id, contents, takers, thanked_at }: Gift) {
    client.setQueryData<Wrapped>(
      [path, asked],
      (old) => old && { ...old, state: 'claimed', id, contents, takers, thanked_at },
    );
  }

  return {
    gift,
    /** It was unwrapped here, now or before signing in. */
    isUnwrapped: link !== undefined,
    unlock,
    /** Shows what is inside; a locked one has been unlocked with these digits. */
    show(inside: Wrapped, digits: string) {
      client.setQueryData([path, { ref, digits }], inside);
      unwrapped.keep({ ref, digits });
      setLink({ ref, digits });
    },
    receive,
    decline,
    thank,
    over: [gift.error, unlock.error, receive.error, decline.error].map(howOver).find(Boolean),
  };
}

function howOver(error: unknown) {
  return isFault(error, 'gift.over')
    ? (error as ApiError & { detail: { state: Over; people: number } }).detail
    : undefined;
}

/** Until when a gift takes no digits, if too many were wrong. */
export function pausedUntil(error: unknown): string | undefined {
  return isFault(error, 'gift.paused') ? (error as ApiError & { detail: { until: string } }).detail.until : undefined;
}

/** One face of a gift follows another at the same address, and each is read from its top. */
export function useFromTop() {
  useEffect(() => void window.scrollTo(0, 0), []);
}

/** A link that was cut off is none, and so is one that nobody has sent. */
export function isUnknown(error: unknown) {
  return isFault(error, 'gift.not_found') || isFault(error, 'input.invalid');
}
