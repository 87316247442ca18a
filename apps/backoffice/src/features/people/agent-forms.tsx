import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { query } from '@wlv/client/call';
import { fetchFile } from '@wlv/client/download';
import { FaultNote } from '@wlv/client/fault-note';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { BookOpenText, CircleAlert, CircleCheck, CircleX, Eye, IdCard } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RecordCard } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import { agentStates } from '../../resource/status-labels.tsx';
import type { AgentRecord, SentForm } from './agent-record.ts';
import { DecideAgent } from './decide-agent.tsx';
import { WholeForm } from './whole-form.tsx';

/** What an agent has sent of himself: the form that waits whole, with its decision; older ones by a line each. */
export function AgentForms({ id }: { id: string }) {
  const { t } = useLingui();
  const record = useQuery({ ...query('/api/owner/agent/record', { id }) });
  if (record.isPending) return <Skeleton className="mb-4 h-40 rounded-card" />;
  if (record.isError) return <FaultNote className="mb-4" error={record.error} />;
  const { sent, early, state } = record.data;
  const [newest, ...older] = sent;
  const waits = newest?.state === 'pending' ? newest : undefined;
  const rest = waits ? older : sent;
  return (
    <div className="mb-4 grid gap-4">
      {early && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`Sells, and cannot be paid yet`}>
          {t`No form of this agent is approved. What is earned is kept until one is.`}
        </Note>
      )}
      {waits && <WaitingForm record={record.data} form={waits} />}
      {rest.length > 0 && (
        <RecordCard title={waits ? t`Before` : t`What was sent`}>
          <ul className="divide-y">
            {rest.map((form) => (
              <Older key={form.id} form={form} />
            ))}
          </ul>
        </RecordCard>
      )}
      {!sent.length && state === 'draft' && (
        <RecordCard title={t`No form yet`}>{t`This customer has begun to fill it in and has not sent it.`}</RecordCard>
      )}
    </div>
  );
}

function WaitingForm({ record, form }: { record: AgentRecord; form: SentForm }) {
  const { t } = useLingui();
  const sells = record.state === 'approved' || record.state === 'suspended';
  const [whole, setWhole] = useState(false);
  const { can } = usePerson();
  return (
    <RecordCard
      title={form.name}
      beside={<Chip tone="info">{sells ? t`Sends other details` : t`Applies to sell`}</Chip>}
    >
      <div className="grid gap-4">
        <p className="text-muted-foreground">
          {[
            form.kind === 'company' && t`A company, ${form.person} acts for it`,
            form.mobile_verified && t`${form.mobile_masked} proved by a code`,
            t`customer since ${date(record.since)}`,
            t`bought ${record.orders} times`,
            form.recruiter_name && t`recruited by ${form.recruiter_name}`,
            t`sent ${dateTime(form.sent_at)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <PrivatePicture id={form.pictures.idcard} title={t`ID card`} icon={<IdCard aria-hidden />} />
          <PrivatePicture id={form.pictures.bank} title={t`Bank book`} icon={<BookOpenText aria-hidden />} />
        </div>
        <Compared form={form} />
        {form.same.map((other) => (
          <Note
            key={other.agent_id}
            tone="bad"
            icon={<Avatar src={other.pictureUrl} size={36} />}
            title={
              <>
                <RecordLink table="agent" id={other.agent_id}>
                  {other.name}
                </RecordLink>{' '}
                {other.referercode}
              </>
            }
          >
            <SameWords what={other.what} state={other.state} />
          </Note>
        ))}
        <ul className="flex flex-wrap gap-x-5 gap-y-2 text-caption">
          <Check is={form.identity_right}>
            {form.identity_right ? t`The number's last digit fits` : t`The number's last digit does not fit`}
          </Check>
          {form.kind === 'person' && <Check is={form.age >= 20}>{t`${form.age} years old`}</Check>}
          <Check is>{t`Agreed to the texts for agents`}</Check>
          <li className="flex items-center gap-1.5 text-quiet">
            <Eye aria-hidden className="size-4" />
            {t`Every look at a picture is written down`}
          </li>
        </ul>
        <div className="flex flex-wrap items-center gap-2.5 border-t pt-3.5">
          {can('agent', 's') && (
            <Button size="office" variant="ghost" onClick={() => setWhole(true)}>
              {t`Show all of it`}
            </Button>
          )}
          <DecideAgent record={record} form={form} />
        </div>
      </div>
      <Dialog open={whole} onOpenChange={setWhole}>
        {whole && <WholeForm version={form.id} />}
      </Dialog>
    </RecordCard>
  );
}

function SameWords({ what, state }: { what: string[]; state: keyof typeof agentStates }) {
  const { t, i18n } = useLingui();
  const words: Record<string, string> = {
    identity: t`the same ID card or tax ID`,
    account: t`the same bank account`,
    mobile: t`the same number`,
  };
  const list = what.map((one) => words[one]).join(', ');
  return <>{t`${list} · ${i18n._(agentStates[state].title)}`}</>;
}

function Check({ is, children }: { is: boolean; children: ReactNode }) {
  const Icon = is ? CircleCheck : CircleX;
  return (
    <li className={is ? 'flex items-center gap-1.5' : 'flex items-center gap-1.5 text-bad-text'}>
      <Icon aria-hidden className={is ? 'size-4 text-ok-text' : 'size-4'} />
      {children}
    </li>
  );
}

/** The person beside the account, line by line. */
function Compared({ form }: { form: SentForm }) {
  const { t } = useLingui();
  const bank = useBankName()(form.bank);
  const taken = form.same.find(({ what }) => what.includes('account'));
  const known = form.same.find(({ what }) => what.includes('identity'));
  const ends = (digits: string) => t`ends in ${digits}`;
  return (
    <dl className="divide-y">
      <Row name={t`Name`} one={form.name} other={form.account_name}>
        {form.own_account ? <Good>{t`The same name`}</Good> : <Bad>{t`Another name: cannot be paid`}</Bad>}
      </Row>
      <Row name={t`Number`} one={ends(form.identity_digits)} other={`${bank} ····${form.account_digits}`}>
        {known ? (
          <Bad>{t`${known.name} has this card`}</Bad>
        ) : taken ? (
          <Bad>{t`${taken.name} has this account`}</Bad>
        ) : (
          <Good>{t`Nobody else has it`}</Good>
        )}
      </Row>
      <Row
        name={t`Place`}
        one={[form.district, form.province].filter(Boolean).join(' ')}
        other={form.kind === 'company' ? t`Branch ${form.branch}` : form.nationality}
      >
        {form.vat_registered ? t`Registered for VAT` : form.resident ? null : t`Lives abroad`}
      </Row>
    </dl>
  );
}

function Row({ name, one, other, children }: { name: string; one: string; other: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[80px_1fr_1fr_auto]">
      <dt className="text-quiet max-sm:col-span-2">{name}</dt>
      <dd className="min-w-0">{one}</dd>
      <dd className="min-w-0">{other}</dd>
      <dd className="max-sm:col-span-2 sm:text-right">{children}</dd>
    </div>
  );
}

const Good = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5 text-ok-text">
    <CircleCheck aria-hidden className="size-4" />
    {children}
  </span>
);

const Bad = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5 text-bad-text">
    <CircleX aria-hidden className="size-4" />
    {children}
  </span>
);

function Older({ form }: { form: SentForm }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const bank = useBankName()(form.bank);
  const [whole, setWhole] = useState(false);
  const states = {
    pending: { title: t`Waits`, tone: 'warn' },
    approved: { title: t({ message: 'Approved', context: 'a form' }), tone: 'ok' },
    refused: {
      title: form.lapsed ? t`Nobody answered` : t({ message: 'Not approved', context: 'a form' }),
      tone: 'bad',
    },
    withdrawn: { title: t`Taken back`, tone: 'mute' },
  } as const;
  const state = states[form.state];
  return (
    <li className="grid gap-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {form.forgotten ? t`Forgotten` : `${form.name} · ${bank} ····${form.account_digits}`}
        </span>
        <Chip tone={state.tone}>{state.title}</Chip>
      </div>
      <p className="text-caption text-quiet">
        {[
          t`sent ${dateTime(form.sent_at)}`,
          form.decided_at && t`answered ${dateTime(form.decided_at)}`,
          form.decided_by,
          form.pays_from && t`paid to since ${date(form.pays_from)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {form.reason && <p className="text-muted-foreground">{`“${form.reason}”`}</p>}
      {!form.forgotten && can('agent', 's') && (
        <div>
          <Button size="office" variant="ghost" onClick={() => setWhole(true)}>
            {t`Show all of it`}
          </Button>
          <Dialog open={whole} onOpenChange={setWhole}>
            {whole && <WholeForm version={form.id} />}
          </Dialog>
        </div>
      )}
    </li>
  );
}

/** A picture that is fetched when somebody wants to see it: that is written down. */
function PrivatePicture({ id, title, icon }: { id: string | null; title: string; icon: ReactNode }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [wanted, setWanted] = useState(false);
  const [large, setLarge] = useState(false);
  const file = useQuery({
    queryKey: ['private picture', id],
    queryFn: () => fetchFile('/api/owner/agent/picture/{id}', id ?? ''),
    enabled: wanted && Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file.data) return;
    const made = URL.createObjectURL(file.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file.data]);
  return (
    <figure className="grid min-w-0 content-start gap-1.5">
      <figcaption className="text-sm font-medium">{title}</figcaption>
      {address ? (
        <button type="button" className="overflow-hidden rounded-touch bg-muted" onClick={() => setLarge(true)}>
          <img src={address} alt={t`${title}, larger`} className="aspect-[1.586] w-full object-contain" />
        </button>
      ) : (
        <div className="grid aspect-[1.586] place-content-center justify-items-center gap-2 rounded-touch bg-muted p-4 text-center text-quiet [&_svg]:size-7">
          {icon}
          {!id && t`Not there any more`}
          {id && !can('agent', 's') && t`You may not see it`}
          {id && can('agent', 's') && (
            <Button size="office" variant="outline" disabled={file.isFetching} onClick={() => setWanted(true)}>
              {t`Show the picture`}
            </Button>
          )}
        </div>
      )}
      <FaultNote error={file.error} />
      <Dialog open={large} onOpenChange={setLarge}>
        {large && (
          <DialogContent title={title}>
            <img src={address} alt={title} className="w-full" />
          </DialogContent>
        )}
      </Dialog>
    </figure>
  );
}
