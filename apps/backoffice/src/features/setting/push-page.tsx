import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call, type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { count, dateTime } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Check, CircleAlert, Send, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { AddressRow } from '../../form/address-row.tsx';
import { FormPathContext, MoneyField, NumberField, TextField } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { useSetting } from './setting.ts';

type Account = Detail<'/api/owner/setting/push/get'>;

const read = query('/api/owner/setting/push/get', {});

/** The official account by which customers are pushed to, how much, and what became of it. */
export function PushSettingPage() {
  const { t } = useLingui();
  useTitle(t`LINE messages`);
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  const connected = data.state !== 'none';
  return (
    <div className="grid max-w-[880px] grid-cols-1 gap-5">
      <div>
        <h1 className="text-h1-office font-semibold">{t`LINE messages`}</h1>
        <p className="text-muted-foreground">
          {t`Everything stands in the customer's inbox. What matters is sent to LINE as well, one message for all that waits.`}
        </p>
      </div>
      <HowItStands account={data} />
      {connected && <Month account={data} />}
      <Channel key={`${data.channel_id} ${data.secret_end}`} account={data} />
      {connected && <Limit key={`${data.monthly_limit} ${data.uses_from_satang}`} account={data} />}
      {connected && <What />}
    </div>
  );
}

/** Puts what was saved in the place of what was read. */
function useTake() {
  const client = useQueryClient();
  const { t } = useLingui();
  return (account: Account) => {
    client.setQueryData(read.queryKey, account);
    toast({ tone: 'ok', title: t`Saved` });
  };
}

function HowItStands({ account }: { account: Account }) {
  const { t } = useLingui();
  switch (account.state) {
    case 'none':
      return null;
    case 'untested':
      return <Test />;
    case 'refused':
      return (
        <Note tone="bad" icon={<CircleAlert aria-hidden />} title={t`LINE does not take this channel any more`}>
          {t`Nothing is sent until you save its secret again. Customers read everything in their inbox meanwhile.`}
        </Note>
      );
    case 'resting':
      return (
        <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`This month's messages are used up`}>
          {t`Sending goes on next month, or as soon as the account has a bigger plan. Customers read everything in their inbox meanwhile.`}
        </Note>
      );
    case 'sending':
      return null;
  }
}

/** Sends a test to whoever is signed in: without it nothing is sent to customers. */
function Test() {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => call('/api/owner/setting/push/test', {}),
    onSuccess: (now) => {
      client.setQueryData(read.queryKey, now);
      toast({ tone: 'ok', title: t`LINE took the test`, line: t`Customers get messages from now on.` });
    },
  });
  return (
    <Card office className="grid gap-4 p-5">
      <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`Not sending yet: one test is missing`}>
        {t`A test goes to your own LINE. It shows that the account and the sign-in belong to the same provider at LINE. Add the account as a friend first to see it.`}
      </Note>
      <FaultNote error={test.error} />
      {can('setting', 'u') && (
        <Button size="office" className="justify-self-start" disabled={test.isPending} onClick={() => test.mutate()}>
          <Send aria-hidden />
          {test.isPending ? t`Sending…` : t`Send the test to me`}
        </Button>
      )}
    </Card>
  );
}

const reasons: Record<Account['held'][number]['reason'], MessageDescriptor> = {
  off: msg`The customer wants none of this kind`,
  no_friend: msg`The customer is no friend of the account`,
  enough: msg`Three messages in a week are enough`,
  saving: msg`The last fifth of the month is kept for what matters most`,
  limit: msg`Your limit was reached`,
  quota: msg`The account's messages were used up`,
  late: msg`It was too late to send it`,
};

/** What became of this month's messages, with LINE's count and our own. */
function Month({ account }: { account: Account }) {
  const { t, i18n } = useLingui();
  return (
    <Card office className="grid gap-5 p-5">
      <h2 className="font-semibold">{t`This month`}</h2>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name={t`Handed to LINE`} value={account.handed} />
        <Figure name={t`On their way`} value={account.waiting} />
        <Figure name={t`Refused by LINE`} value={account.refused} />
        <Figure name={t`LINE did not say`} value={account.unknown} />
      </dl>
      {account.quota !== null && (
        <div className="grid gap-1.5">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>
              <Trans>
                {count(account.used)} of {count(account.quota)} messages of the account's plan are used
              </Trans>
            </span>
            {account.counted_at && (
              <span className="text-caption text-quiet">{t`LINE's count, ${dateTime(account.counted_at)}`}</span>
            )}
          </p>
          <Meter
            value={account.quota ? account.used / account.quota : 1}
            tone={account.used * 5 >= account.quota * 4 ? 'warn' : 'brand'}
          />
        </div>
      )}
      {account.held.length > 0 && (
        <div>
          <h3 className="mb-1 text-row font-medium">{t`Stayed in the inbox`}</h3>
          <ul className="divide-y">
            {account.held.map(({ reason, messages }) => (
              <li key={reason} className="flex justify-between gap-4 py-2">
                <span className="text-muted-foreground">{i18n._(reasons[reason])}</span>
                <span className="shrink-0">
                  <Plural value={messages} one="# message" other="# messages" />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-caption text-quiet">
        {t`Handed to LINE is not the same as read: LINE shows nothing to people who are no friends of the account.`}
      </p>
    </Card>
  );
}

function Figure({ name, value }: { name: ReactNode; value: number }) {
  return (
    <div>
      <dt className="text-caption text-quiet">{name}</dt>
      <dd className="text-h1-office font-semibold">{count(value)}</dd>
    </div>
  );
}

function Channel({ account }: { account: Account }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { unique } = useSetting();
  const { form, saving, error, changed, submit } = useOfficeForm({
    limits: '/api/owner/setting/push/save',
    values: { channel_id: account.channel_id, channel_secret: '' },
    send: (values) => call('/api/owner/setting/push/save', values),
    onSaved: useTake(),
  });
  const digits = (text: string) => text.replace(/\D/g, '');
  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/owner/setting/push/save">
        <FormCard
          title={t`Official account`}
          line={t`A Messaging API channel, of the same provider as the sign-in by LINE. LINE is asked before it is kept.`}
          error={error}
          onSubmit={submit}
        >
          {account.state !== 'none' && (
            <div className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{account.name}</span>
              <span className="text-muted-foreground">{account.basic_id}</span>
              {account.state === 'sending' && <Chip tone="ok">{t`Sending`}</Chip>}
            </div>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name="channel_id" label={t`Channel ID`} inputMode="numeric" clean={digits} />
            <TextField
              name="channel_secret"
              label={t`Channel secret`}
              type="password"
              autoComplete="new-password"
              {...(account.secret_end ? { help: t`Ends with ${account.secret_end}. Leave it empty to keep it.` } : {})}
            />
          </div>
          <ul>
            <AddressRow
              name={t`Webhook address, for the channel's settings at LINE`}
              url={`${location.origin}/api/hook/line/${unique}`}
            />
          </ul>
          {can('setting', 'u') && (
            <div className="flex flex-wrap justify-end gap-3">
              {account.state !== 'none' && <Remove channel={account.channel_id} />}
              <Button type="submit" size="office" disabled={saving || !changed}>
                <Check aria-hidden />
                {saving ? t`Checking…` : t`Check and save`}
              </Button>
            </div>
          )}
        </FormCard>
        <LeaveQuestion changed={changed} />
      </FormPathContext>
    </FormProvider>
  );
}

function Remove({ channel }: { channel: string }) {
  const { t } = useLingui();
  const [asks, setAsks] = useState(false);
  const take = useTake();
  const remove = useMutation({
    mutationFn: () => call('/api/owner/setting/push/remove', { channel_id: channel }),
    onSuccess: (now) => {
      setAsks(false);
      take(now);
    },
  });
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setAsks(true)}>
        <Unplug aria-hidden />
        {t`Disconnect`}
      </Button>
      <Dialog open={asks} onOpenChange={setAsks}>
        <DialogContent
          title={t`Disconnect the account?`}
          description={t`Nothing is sent to LINE any more. Customers read everything in their inbox.`}
          foot={
            <div className="grid gap-3">
              <FaultNote error={remove.error} />
              <div className="flex justify-end gap-2.5">
                <Button size="office" variant="outline" autoFocus onClick={() => setAsks(false)}>
                  {t`Keep it`}
                </Button>
                <Button size="office" variant="destructive" disabled={remove.isPending} onClick={() => remove.mutate()}>
                  {t`Disconnect`}
                </Button>
              </div>
            </div>
          }
        />
      </Dialog>
    </>
  );
}

function Limit({ account }: { account: Account }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { form, saving, error, changed, submit } = useOfficeForm({
    limits: '/api/owner/setting/push/limit/save',
    values: { monthly_limit: account.monthly_limit, uses_from_satang: account.uses_from_satang },
    send: (values) => call('/api/owner/setting/push/limit/save', values),
    onSaved: useTake(),
  });
  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/owner/setting/push/limit/save">
        <FormCard
          title={t`How much is sent`}
          line={t`What is over the limit stays in the inbox.`}
          error={error}
          onSubmit={submit}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <NumberField
              name="monthly_limit"
              label={t`Messages a month, at most`}
              placeholder={t`No limit`}
              help={t`Empty: as many as the account's plan has.`}
            />
            <MoneyField
              name="uses_from_satang"
              label={t`“Was it you?” from a use by which you earn`}
              help={t`Empty: only at a place that is new to the customer, or where he wishes it of every use.`}
            />
          </div>
          {can('setting', 'u') && (
            <Button type="submit" size="office" className="justify-self-end" disabled={saving || !changed}>
              <Check aria-hidden />
              {saving ? t`Saving…` : t`Save`}
            </Button>
          )}
        </FormCard>
        <LeaveQuestion changed={changed} />
      </FormPathContext>
    </FormProvider>
  );
}

/** What is sent at all; of each kind a customer may want none. */
function What() {
  const { t } = useLingui();
  const kinds = [
    [t`Gifts`, t`accepted, declined, came back, not opened yet, time to send`],
    [t`Sold`, t`a voucher that somebody sold on has a new owner`],
    [t`Money and decisions`, t`money came back into the Wallet; how you decided on a use that was not the customer's`],
    [t`Last days`, t`a voucher ends in 7 days, or tomorrow`],
    [
      t`Uses`,
      t`“Was it you?”: at a place that is new to the customer, of much worth, or of every use where he wishes it`,
    ],
    [t`On hold`, t`a voucher was put on hold: always, at any hour`],
  ];
  return (
    <Card office className="p-5">
      <h2 className="mb-1 font-semibold">{t`What is sent`}</h2>
      <dl className="divide-y">
        {kinds.map(([kind, when]) => (
          <div key={kind} className="grid gap-x-4 py-2 sm:grid-cols-[180px_minmax(0,1fr)]">
            <dt className="font-medium">{kind}</dt>
            <dd className="text-muted-foreground">{when}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
