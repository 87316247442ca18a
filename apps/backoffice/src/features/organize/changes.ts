import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { toast } from '@wlv/ui/toast';
import type { Organisation } from './organisation.ts';

/** Takes what a change answers with, which is how the organisation is now, and has the rest read anew. */
export function useTakeOrganisation() {
  const { t } = useLingui();
  const client = useQueryClient();
  return (now: Organisation) => {
    client.setQueryData(query('/api/admin/organize/detail', { id: now.id }).queryKey, now);
    void client.invalidateQueries({ queryKey: ['/api/admin/organize/record'] });
    void client.invalidateQueries({ queryKey: ['/api/admin/organize/list'] });
    toast({ tone: 'ok', title: t`Saved` });
  };
}
