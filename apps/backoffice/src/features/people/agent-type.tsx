import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Select } from '@wlv/ui/select';
import { usePerson } from '../../access/person.ts';
import type { StoryOf } from '../../record/story.ts';
import { useLookup } from '../../resource/lookup.ts';

/** By which type an agent sells; another one holds for later sales. */
export function AgentType({ record }: { record: StoryOf<'agent'>['record'] }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const client = useQueryClient();
  const { choices } = useLookup('agenttype', record.agent_type_id ? [record.agent_type_id] : []);
  const change = useMutation({
    ...mutation('/api/owner/agent/type'),
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => /\/agent$/.test(String(queryKey[0])) }),
  });
  const sells = record.state === 'approved' || record.state === 'suspended';
  if (!sells || !can('agent', 'u')) return text(record, 'type_name');
  return (
    <div className="grid gap-2">
      <Select
        size="office"
        label={t`Agent type`}
        value={record.agent_type_id ?? undefined}
        disabled={change.isPending}
        options={choices}
        onChange={(agent_type_id) => change.mutate({ agent_id: record.id ?? '', agent_type_id })}
      />
      <FaultNote error={change.error} />
    </div>
  );
}
