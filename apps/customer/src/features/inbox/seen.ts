import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { useEffect } from 'react';
import type { Message } from './message-row.tsx';

/**
 * Has the server mark the newest message, and all before it, as seen. The list keeps its marks as long as it is looked at; where the call
 * fails the messages stay new, and the next look marks them.
 */
export function useSeen(newest: Message | undefined) {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) => call('/api/user/message/read', { id }),
    onSuccess: (unread) => client.setQueryData(['/api/user/message/unread', {}], unread),
  });
  const id = newest && !newest.read ? newest.id : undefined;
  useEffect(() => {
    if (id) mutate(id);
  }, [id, mutate]);
}
