import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { RetryOptions } from '@wlv/client/retry-options';
import { Chip } from '@wlv/ui/chip';
import { Field, FormError } from '@wlv/ui/field';
import { Note } from '@wlv/ui/note';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { clsx } from 'clsx';
import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useMayCall } from '../../access/admin-right.ts';
import { ColourField, ContrastList } from '../../form/colours.tsx';
import { BothLanguages, LongField, TextField, useFormField } from '../../form/fields.tsx';
import { useOffer } from './connections.ts';
import { LogoField } from './logo-field.tsx';
import { usePlans } from './organisation.ts';

function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-h1-office font-semibold">{title}</h2>
      <p className="text-muted-foreground">{children}</p>
    </div>
  );
}

export function NamesStep() {
  const { t } = useLingui();
  return (
    <>
      <Heading title={t`Who is it?`}>{t`As customers will read it, in both languages.`}</Heading>
      <BothLanguages name="name" label={t`Name`} />
      <BothLanguages name="tagline" label={t`One line about it`} />
      <TextField
        name="unique"
        label={t`Short name`}
        help={t`Small letters, digits and hyphens; 3 to 40. It stands in the address and can't be changed later.`}
        clean={(text) => text.toLowerCase().replace(/[^a-z0-9-]/g, '')}
      />
    </>
  );
}

export function PlanStep() {
  const { t } = useLingui();
  const text = useTexts();
  const plans = usePlans();
  const { value, onChange, error } = useFormField<string>('plan_id', t`Plan`);
  const name = useId();
  return (
    <>
      <Heading title={t`Which plan?`}>{t`It decides the modules and the platform's fee.`}</Heading>
      {plans.isPending && <Skeleton className="h-24 rounded-touch" />}
      <RetryOptions of={plans} />
      {plans.data && (
        <fieldset className="grid gap-3">
          <legend className="sr-only">{t`Plan`}</legend>
          {plans.data.data
            .filter(({ active }) => active)
            .map((plan) => (
              <label
                key={plan.id}
                className={clsx(
                  'flex items-start gap-3.5 rounded-touch px-4 py-3.5 has-focus-visible:outline-2',
                  value === plan.id
                    ? 'bg-accent shadow-[inset_0_0_0_2px_var(--brand-mark)]'
                    : 'shadow-[inset_0_0_0_1px_var(--line)]',
                )}
              >
                <input
                  type="radio"
                  name={name}
                  className="mt-1 accent-brand-mark"
                  checked={value === plan.id}
                  onChange={() => onChange(plan.id)}
                />
                <span className="min-w-0 flex-1">
                  <span className="block text-base font-medium">{text(plan, 'name')}</span>
                  <span className="block text-caption text-quiet">
                    {t`${plan.modules.length} modules · ${plan.fee_basis_points / 100}% of each sale`}
                  </span>
                </span>
                {value === plan.id && <Chip tone="brand">{t`Chosen`}</Chip>}
              </label>
            ))}
        </fieldset>
      )}
      {error && <FormError>{error}</FormError>}
      <TemplateChoice />
    </>
  );
}

/** What the organisation begins with; nothing to choose where there is no template, or none may be seen. */
function TemplateChoice() {
  const { t } = useLingui();
  const text = useTexts();
  const maySee = useMayCall()('/api/admin/template/list');
  const templates = useQuery({ ...query('/api/admin/template/list', {}), enabled: maySee });
  const { setValue } = useFormContext();
  const { value, onChange } = useFormField<string>('template_id', t`Template`);
  const offered = templates.data?.data.filter(({ status }) => status === 5) ?? [];
  if (offered.length === 0) return <RetryOptions of={templates} />;
  return (
    <Field
      label={t`Begins with`}
      help={t`Its packages are drafts until the owner puts them on sale. You can change its colours in a later step.`}
    >
      <Select
        value={value || 'nothing'}
        onChange={(next) => {
          const chosen = offered.find(({ id }) => id === next);
          onChange(chosen?.id ?? '');
          if (!chosen) return;
          setValue('background_color_primary', chosen.background_color_primary);
          setValue('background_color_secondary', chosen.background_color_secondary);
        }}
        options={[
          { value: 'nothing', label: t`An empty shop` },
          ...offered.map((one) => ({ value: one.id, label: text(one, 'name') })),
        ]}
      />
    </Field>
  );
}

export function LineStep() {
  const { t } = useLingui();
  return (
    <>
      <Heading title="LINE">{t`From the organisation's LINE Login channel. It can be left for later.`}</Heading>
      <LineFields />
      <LiffFields />
    </>
  );
}

/** What stands where a secret is kept already. */
function useKept() {
  const { t } = useLingui();
  return (ending: string | undefined) => {
    if (ending === undefined) return undefined;
    return ending ? t`One is kept; it ends in ${ending}. Left empty, it stays.` : t`One is kept. Left empty, it stays.`;
  };
}

/** A LINE Login channel; secretEnd is there when a secret is. */
export function LineFields({ secretEnd }: { secretEnd?: string | undefined }) {
  const kept = useKept();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField name="line.channel_id" label="Channel ID" inputMode="numeric" />
      <TextField
        name="line.channel_secret"
        label="Channel secret"
        type="password"
        autoComplete="new-password"
        help={kept(secretEnd)}
      />
    </div>
  );
}

export function LiffFields() {
  const { t } = useLingui();
  return (
    <>
      <h3 className="text-base font-semibold">LIFF</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="liff.liffuser" label={t`Market and vouchers`} placeholder="2001234567-AbCdEfGh" />
        <TextField name="liff.liffagent" label={t`Agents`} />
        <TextField name="liff.lifftrade" label={t`Resale`} />
        <TextField name="liff.lifftransfer" label={t`Transfers`} />
      </div>
    </>
  );
}

export function PaymentStep() {
  const { t } = useLingui();
  const offer = useOffer();
  return (
    <>
      <Heading title={t`Who collects the money?`}>
        {offer.data?.platform_account &&
          t`Left empty, the platform's account does, and buyers see that their money is protected.`}
        {offer.data?.platform_account === false &&
          t`Left empty, nobody does: the platform has no gateway account, so customers can't top up or pay by QR or card until keys are added.`}
      </Heading>
      <Note tone="info" icon={<ShieldCheck aria-hidden />}>
        {t`With keys of its own the organisation holds the money itself; its buyers see no sign of protection.`}
      </Note>
      <PaymentFields />
    </>
  );
}

/** The keys of an organisation's own gateway account; kept says how the secrets end that are there. */
export function PaymentFields({ kept }: { kept?: { secret: string; webhook: string } | undefined }) {
  const { t } = useLingui();
  const help = useKept();
  return (
    <>
      <TextField name="payment.public_key" label={t`Public key`} />
      <TextField
        name="payment.secret_key"
        label={t`Secret key`}
        type="password"
        autoComplete="new-password"
        help={help(kept?.secret)}
      />
      <TextField
        name="payment.webhook_secret"
        label={t`Webhook secret`}
        type="password"
        autoComplete="new-password"
        help={help(kept?.webhook)}
      />
    </>
  );
}

export function LookStep() {
  const { t } = useLingui();
  const [primary, secondary] = useWatch({ name: ['background_color_primary', 'background_color_secondary'] });
  return (
    <>
      <Heading
        title={t`How does it look, and where?`}
      >{t`Text on these colours is chosen so that it always reads.`}</Heading>
      <LogoField />
      <div className="grid gap-4 sm:grid-cols-2">
        <ColourField name="background_color_primary" label={t`Primary colour`} />
        <ColourField name="background_color_secondary" label={t`Secondary colour`} />
      </div>
      <ContrastList primary={primary} secondary={secondary} />
      <LongField
        name="hosts"
        rows={3}
        label={t`Hosts`}
        help={t`One a line; the first is the address that customers see. Without one, the short name under the platform's host is used.`}
      />
    </>
  );
}

export function OwnerStep() {
  const { t } = useLingui();
  return (
    <>
      <Heading title={t`Who owns it?`}>{t`The first account; it may do everything and makes the others.`}</Heading>
      <TextField name="owner.name" label={t`Name`} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="owner.username" label={t`User name`} help={t`Letters, digits and . _ @ -`} />
        <TextField
          name="owner.password"
          label={t`First password`}
          type="password"
          autoComplete="new-password"
          help={t`Tell it by phone; the owner changes it after signing in.`}
        />
      </div>
    </>
  );
}
