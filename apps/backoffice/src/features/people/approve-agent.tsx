import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { FormError } from '@wlv/ui/field';
import { Select } from '@wlv/ui/select';
import { toast } from '@wlv/ui/toast';
import { Handshake } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import type { StoryOf } from '../../record/story.ts';
import { useLookup } from '../../resource/lookup.ts';

/** Lets a customer sell for commission. */
export function ApproveAgent({ record }: { record: StoryOf<'customer'>['record'] }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const { choices, asked } = useLookup('agenttype');
  const [chosen, setChosen] = useState<string>();
  const type = chosen ?? (choices.length === 1 ? choices[0]?.value : undefined);
  const approve = useMutation({
    mutationFn: (agent_type_id: string) =>
      call('/api/owner/agent/approve', { customer_id: record.id ?? '', agent_type_id }),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`${record.displayName} sells for you now` });
      return client.invalidateQueries({
        predicate: ({ queryKey }) => /\/(customer|agent)$/.test(String(queryKey[0])),
      });
    },
  });
  if (record.agent || record.status !== 5 || !can('agent', 'i')) return null;
  return (
    <div className="mt-3 flex w-full flex-wrap items-center gap-2.5 border-t pt-3">
      <span className="flex-1 font-medium">{t`Make this customer an agent`}</span>
      <div className="w-52">
        <Select
          size="office"
          label={t`Agent type`}
          placeholder={t`Agent type`}
          value={type}
          onChange={setChosen}
          options={choices}
        />
      </div>
      <Button size="office" disabled={!type || approve.isPending} onClick={() => type && approve.mutate(type)}>
        <Handshake aria-hidden />
        {t`Approve`}
      </Button>
      <RetryOptions of={asked} />
      {approve.isError && <FormError className="w-full">{errorSentence(i18n, approve.error)}</FormError>}
    </div>
  );
}
