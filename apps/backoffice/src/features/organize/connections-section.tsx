import { useLingui } from '@lingui/react/macro';
import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Disclosure } from '@wlv/ui/disclosure';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { Check, CircleAlert, Hourglass, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { AddressRow } from '../../form/address-row.tsx';
import { ChoiceField, FormPathContext, SwitchField } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { type Connections, useConnections, useTakeConnections } from './connections.ts';
import { Hosts } from './hosts-card.tsx';
import { LiffFields, LineFields, PaymentFields } from './wizard-steps.tsx';

/** Where an organisation is connected to, and can be connected later: LINE, its gateway, its addresses. */
export function ConnectionsSection({ id }: { id: string }) {
  const { t } = useLingui();
  const connections = useConnections(id);
  if (connections.isError && !connections.data) {
    return (
      <Failure
        title={t`The connections did not load`}
        error={connections.error}
        onRetry={() => void connections.refetch()}
      />
    );
  }
  if (!connections.data) return <Skeleton className="h-96 rounded-office" />;
  return (
    <>
      <Line id={id} now={connections.data} />
      <Payment id={id} now={connections.data} />
      <Hosts id={id} hosts={connections.data.hosts ?? []} />
    </>
  );
}

/** A card that is a form: read, changed and saved by itself. Saving empties what is secret. */
function useCard(id: string) {
  const { t } = useLingui();
  const [saves, setSaves] = useState(0);
  const take = useTakeConnections(id);
  const onSaved = (now: Connections) => {
    take(now);
    setSaves((n) => n + 1);
    toast({ tone: 'ok', title: t`Saved` });
  };
  return { key: saves, onSaved };
}

/** Saving asks the other side first. */
function SaveButton({ saving, changed }: { saving: boolean; changed: number }) {
  const { t } = useLingui();
  const { can } = usePerson();
  if (!can('organize', 'u')) return null;
  return (
    <Button type="submit" size="office" className="justify-self-end" disabled={saving || !changed}>
      <Check aria-hidden />
      {saving ? t`Checking…` : t`Check and save`}
    </Button>
  );
}

interface Part {
  id: string;
  now: Connections;
}

function Line(part: Part) {
  const { key, onSaved } = useCard(part.id);
  return <LineCard key={key} {...part} onSaved={onSaved} />;
}

function LineCard({ id, now, onSaved }: Part & { onSaved: (now: Connections) => void }) {
  const { t } = useLingui();
  const { form, saving, error, changed, submit } = useOfficeForm({
    limits: '/api/admin/organize/line/save',
    values: { id, line: { channel_id: now.line.channel_id, channel_secret: '' }, liff: now.liff },
    send: (values) => call('/api/admin/organize/line/save', values),
    onSaved,
  });
  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/admin/organize/line/save">
        <FormCard
          title="LINE"
          line={
            now.line.channel_id
              ? t`People sign in by this channel. LINE is asked before a change is kept.`
              : t`Not connected: nobody can sign in by LINE yet.`
          }
          error={error}
          onSubmit={submit}
        >
          <LineFields secretEnd={now.line.secret_set ? now.line.secret_end : undefined} />
          <LiffFields />
          <Disclosure title={t`Addresses for the LINE channel`}>
            <ul className="divide-y">
              {(now.callbacks ?? []).map((url) => (
                <AddressRow key={url} name="Callback URL" url={url} />
              ))}
            </ul>
          </Disclosure>
          <SaveButton saving={saving} changed={changed} />
        </FormCard>
      </FormPathContext>
    </FormProvider>
  );
}

function Payment(part: Part) {
  const { key, onSaved } = useCard(part.id);
  return <PaymentCard key={key} {...part} onSaved={onSaved} />;
}

function PaymentCard({ id, now, onSaved }: Part & { onSaved: (now: Connections) => void }) {
  const { t } = useLingui();
  const { payment } = now;
  const { form, saving, error, changed, submit } = useOfficeForm({
    limits: '/api/admin/organize/payment/save',
    values: {
      id,
      collector: payment.collector === 'organisation' ? ('organisation' as const) : ('platform' as const),
      payment: { public_key: payment.public_key, secret_key: '', webhook_secret: '' },
      void_test: false,
    },
    send: (values) => call('/api/admin/organize/payment/save', values),
    onSaved,
  });
  const collector = useWatch({ control: form.control, name: 'collector' });
  const asked = payment.test_sales || (error instanceof ApiError && error.fault === 'org.test_sales');
  const kept = payment.secret_set ? { secret: payment.secret_key_end, webhook: payment.webhook_secret_end } : undefined;
  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/admin/organize/payment/save">
        <FormCard
          title={t`Payments`}
          line={t`Who collects from now on. What is being paid right now still arrives.`}
          error={error}
          onSubmit={submit}
        >
          <Collector now={now} />
          <ChoiceField
            name="collector"
            label={t`Who collects the money?`}
            options={[
              { value: 'platform', label: t`The platform's account` },
              { value: 'organisation', label: t`Its own gateway account` },
            ]}
          />
          {collector === 'organisation' ? (
            <>
              <Note tone="info" icon={<ShieldCheck aria-hidden />}>
                {t`With keys of its own the organisation holds the money itself; its buyers see no sign of protection.`}
              </Note>
              <PaymentFields kept={kept} />
            </>
          ) : (
            !payment.platform_account && (
              <Note tone="warn" icon={<CircleAlert aria-hidden />}>
                {t`The platform has no gateway account, so this shop's customers can't top up or pay by QR or card.`}
              </Note>
            )
          )}
          {asked && (
            <SwitchField
              name="void_test"
              label={t`What was sold with test keys is void`}
              help={t`Nobody paid for it, and nobody was paid. Orders, vouchers, wallets and commission made with test keys disappear for everyone before real payments start. This cannot be undone.`}
            />
          )}
          {now.webhook_url && (
            <ul>
              <AddressRow name={t`Webhook: set it at the gateway, and keep it to yourself`} url={now.webhook_url} />
            </ul>
          )}
          <SaveButton saving={saving} changed={payment.collector === 'none' || payment.test_sales ? 1 : changed} />
        </FormCard>
      </FormPathContext>
    </FormProvider>
  );
}

/** How it stands now, in chips. */
function Collector({ now: { payment } }: { now: Connections }) {
  const { t } = useLingui();
  return (
    <div className="flex flex-wrap gap-2">
      {payment.collector === 'none' && <Chip tone="warn">{t`Nobody collects`}</Chip>}
      {payment.collector === 'platform' && <Chip tone="ok">{t`The platform collects`}</Chip>}
      {payment.collector === 'organisation' && <Chip tone="brand">{t`Collects by itself`}</Chip>}
      {payment.collector === 'organisation' && !payment.live && (
        <Chip tone="warn">{t`Keys for tests: no real money`}</Chip>
      )}
      {payment.switching && (
        <Chip tone="info" icon={<Hourglass aria-hidden />}>
          {t`Being switched…`}
        </Chip>
      )}
    </div>
  );
}
