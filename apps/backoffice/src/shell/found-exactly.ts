import { useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';

/** Whether it may be a code, a number or a mobile number, as people write these. */
export function looksExact(text: string) {
  const plain = text.replace(/[^a-z0-9]/gi, '');
  return /^[a-z0-9 +().\-–]+$/i.test(text.trim()) && plain.length >= 6 && plain.length <= 20;
}

/** The records that have exactly a code, a number or a mobile number. */
export function useFoundExactly(words: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['/api/owner/find', { text: words }] as const,
    queryFn: ({ signal }) => call('/api/owner/find', { text: words }, { signal }),
    enabled: looksExact(words),
  });
  return { rows: data?.data ?? [], asking: isFetching };
}
