import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@wlv/ui/toast';

const changed = /^\/api\/(owner\/(partner|account|get|detail)|admin\/account)\b/;

/** Makes a change of what a payee is paid to, after which the list and the record are read anew: also after a refusal, because it may have been decided on meanwhile. */
export function usePayeeChange<In>(make: (input: In) => Promise<unknown>, done: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSuccess: () => {
      toast({ tone: 'ok', title: done });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
}
