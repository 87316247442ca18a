import { msg } from '@lingui/core/macro';
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
import { activate, statusFilter, suspend } from '../../resource/actions.ts';
import { instant, money, option, text, word } from '../../resource/cells.tsx';
import { useLookup } from '../../resource/lookup.ts';
import { defineResource, type RecordOf } from '../../resource/resource.ts';
import { CustomerFacts } from './customer-facts.tsx';

const yesNo = { true: { title: msg`Agent`, tone: 'brand' }, false: { title: msg`–` } } as const;

export const customer = defineResource<'customer'>({
  table: 'customer',
  module: 'customer',
  path: 'customerlist',
  grows: true,
  nameSorts: 'displayName',
  menu: { group: 'customers', place: 10 },
  title: msg`Customers`,
  one: msg`customer`,
  name: (row) => row.displayName ?? '',
  code: (row) => [row.firstname, row.lastname].filter(Boolean).join(' ') || undefined,
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    { name: 'emailaddress', title: msg`E-mail`, cell: ({ row }) => row.emailaddress || '–', sorts: false },
    instant('created_at', msg`First came`),
    option('customer_type', msg`Came by`, 'customertype'),
    word('agent', msg`Agent`, yesNo, { sorts: false }),
    money('debt_satang', msg`Owes`, { sorts: false, hidden: true }),
    text('referercode', msg`Referral code`, { sorts: false, hidden: true }),
  ],
  filters: [
    statusFilter,
    { name: 'created_at', title: msg`First came`, kind: 'instant' },
    { name: 'customer_type', title: msg`Came by`, kind: 'option', list: 'customertype' },
    { name: 'agent', title: msg`Agent`, kind: 'yes' },
    { name: 'debt_satang', title: msg`Owes`, kind: 'money' },
  ],
  actions: [activate, suspend],
  facts: CustomerFacts,
  extra: ApproveAsAgent,
  empty: {
    title: msg`No customer yet`,
    line: msg`Everybody who signs in to your market stands here.`,
  },
});

/** Lets a customer sell for commission. */
function ApproveAsAgent({ record }: { record: RecordOf<'customer'> }) {
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
  if (record.agent || !can('agent', 's')) {
    return <p className="text-quiet">{record.agent ? t`This customer is an agent.` : t`Shown to read only.`}</p>;
  }
  return (
    <div className="flex w-full flex-wrap items-center gap-2.5">
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
