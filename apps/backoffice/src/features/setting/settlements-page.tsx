import { useLingui } from '@lingui/react/macro';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { amount, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Facts } from '../../resource/facts.tsx';

type Standing = Detail<'/api/owner/settlement/list'>;
type Own = Standing['settlements'][number];

/** What the platform has paid the organisation, each with its statement, and what it still owes it. */
export function SettlementsPage() {
  const { t } = useLingui();
  useTitle(t`Payments from the platform`);
  const [looked, setLooked] = useState<Own>();
  const {
    settlements,
    payable_satang: payable,
    leaving_satang: leaving,
    holds_satang: holds,
  } = useSuspenseQuery(query('/api/owner/settlement/list', {})).data;
  return (
    <div className="mx-auto grid w-full max-w-[880px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      <div>
        <h1 className="text-h1-office font-semibold">{t`Payments from the platform`}</h1>
        <p className="text-muted-foreground">
          {t`What you have earned where the platform collects for you. What may still be objected to waits.`}
        </p>
      </div>
      {holds > 0 || settlements.length > 0 ? (
        <Card office className="p-5">
          <Facts
            of={[
              [t`Earned, not paid out`, amount(payable)],
              [t`On its way to your bank`, amount(leaving)],
            ]}
          />
        </Card>
      ) : (
        <Note icon={<Info aria-hidden />} title={t`The platform holds no money of yours`}>
          {t`What customers pay goes to your own gateway account, so nothing is paid out here.`}
        </Note>
      )}
      {settlements.length === 0 && holds > 0 && <p className="text-quiet">{t`Nothing was paid yet.`}</p>}
      {settlements.length > 0 && (
        <Card office className="overflow-clip">
          <ul className="divide-y">
            {settlements.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <span className="min-w-0 flex-1 basis-60">
                  <span className="block font-medium">{one.reference}</span>
                  <span className="block text-caption text-quiet">
                    {[t`up to ${date(one.up_to)}`, `····${one.account_digits}`, one.reason].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className="font-medium">{amount(one.amount_satang)}</span>
                <State of={one} />
                <Button
                  size="row"
                  variant="outline"
                  aria-label={t`Statement of ${one.reference}`}
                  onClick={() => setLooked(one)}
                >
                  {t`Statement`}
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Dialog open={looked !== undefined} onOpenChange={(open) => !open && setLooked(undefined)}>
        {looked && <Statement of={looked} />}
      </Dialog>
    </div>
  );
}

function State({ of }: { of: Own }) {
  const { t } = useLingui();
  const states = {
    booked: { title: t`On its way`, tone: 'info' },
    paid: { title: t({ message: 'Paid', context: 'a payout' }), tone: 'ok' },
    failed: { title: t({ message: 'Not paid', context: 'a payout' }), tone: 'bad' },
    returned: { title: t({ message: 'Came back', context: 'a payout' }), tone: 'bad' },
  } as const;
  const { title, tone } = states[of.state];
  return <Chip tone={tone}>{of.paid_on && of.state === 'paid' ? `${title} ${date(of.paid_on)}` : title}</Chip>;
}

/** What a kind of movement is called. */
function useKind() {
  const { t } = useLingui();
  const kinds: { [kind: string]: string } = {
    use: t`Vouchers used`,
    partner_commission: t`Partners’ commission`,
    settlement: t`Paid out by the platform`,
    settlement_failed: t`Could not be paid`,
    settlement_returned: t`Came back from the bank`,
    objection: t`Objected to`,
    objection_stands: t`Objections that were decided for you`,
    payout_paid: t`Commission that your bank paid`,
    payout_returned: t`Commission that came back`,
    remittance: t`Refunds that your bank paid`,
    refund: t`Kept of refunds`,
    resale: t`Share of resales`,
    goodwill: t`Given back after a use`,
    borne: t`Refunds that you bore`,
    write_off: t`Debts that you wrote off`,
    tax_filed: t`Withheld tax that your bank paid`,
    commission_denial: t`Commission that was denied`,
  };
  return (kind: string) => kinds[kind] ?? t`Other`;
}

function Statement({ of }: { of: Own }) {
  const { t } = useLingui();
  const named = useKind();
  const [kind, setKind] = useState<string>();
  const statement = useQuery(query('/api/owner/settlement/statement', { id: of.id }));
  const data = statement.data;
  return (
    <DialogContent
      title={t`Statement of ${of.reference}`}
      description={t`What made up this payment, since the one before.`}
    >
      <div className="grid gap-4">
        {statement.isPending && <Skeleton className="h-40 rounded-card" />}
        <FaultNote error={statement.error} />
        {data && (
          <>
            <p className="text-caption text-quiet">
              {data.from
                ? t`${dateTime(data.from)} to ${dateTime(data.settlement.booked_at)}`
                : t`until ${dateTime(data.settlement.booked_at)}`}
            </p>
            <Facts
              of={[
                [t`Before`, amount(data.opening_satang)],
                ...data.movements.map(
                  (one) =>
                    [
                      <button
                        key={one.kind}
                        type="button"
                        className="text-left font-medium text-brand-text"
                        aria-expanded={kind === one.kind}
                        onClick={() => setKind(kind === one.kind ? undefined : one.kind)}
                      >
                        {`${named(one.kind)} · ${one.count}`}
                      </button>,
                      amount(one.amount_satang),
                    ] as const,
                ),
                [t`Stays for the next one`, amount(data.closing_satang)],
              ]}
            />
            {kind && <Entries id={of.id} kind={kind} title={named(kind)} />}
          </>
        )}
      </div>
    </DialogContent>
  );
}

/** The movements that a figure is made of. */
function Entries({ id, kind, title }: { id: string; kind: string; title: string }) {
  const text = useTexts();
  const entries = useQuery(query('/api/owner/settlement/entries', { id, kind }));
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-base font-semibold">{title}</h3>
      {entries.isPending && <Skeleton className="h-20 rounded-card" />}
      <FaultNote error={entries.error} />
      {entries.data && (
        <Facts
          of={entries.data.data.map(
            (one) => [`${dateTime(one.at)} ${text(one, 'memo')}`, amount(one.amount_satang)] as const,
          )}
        />
      )}
    </section>
  );
}
