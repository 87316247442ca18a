import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isFault } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { Chip } from '@wlv/ui/chip';
import { amount, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { CircleAlert } from 'lucide-react';
import { Failure } from '../../shell/failure.tsx';
import { InnerPage } from '../../shell/inner-page.tsx';
import { useMayAsk } from '../../shell/profile.ts';
import { arrives, type Story, sumOf, useAccount, usePayoutState, useTrouble } from './payout.ts';
import { PayoutLines } from './payout-lines.tsx';
import { PayoutPapers } from './payout-papers.tsx';

/** What a payout was made of, and what became of it. */
export function PayoutPage() {
  const { t } = useLingui();
  const { payoutId = '' } = useParams({ strict: false }) as { payoutId?: string };
  const payout = useQuery({ ...query('/api/agent/payout/detail', { id: payoutId }), enabled: useMayAsk() });
  const missing = isFault(payout.error, 'not_found') || isFault(payout.error, 'input.invalid');
  return (
    <InnerPage title={payout.data ? t`Payout ${date(payout.data.pay_day)}` : t`Payout`} parent="payouts">
      {payout.isPending && (
        <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-4">
          <Skeleton className="h-[240px] rounded-card" />
          <Skeleton className="h-[160px] rounded-card" />
        </div>
      )}
      {payout.isError && (
        <Failure
          title={missing ? t`Payout not found` : t`The payout did not load`}
          error={payout.error}
          onRetry={() => void payout.refetch()}
        />
      )}
      {payout.data && <Loaded payout={payout.data} />}
    </InnerPage>
  );
}

function Loaded({ payout }: { payout: Story }) {
  const trouble = useTrouble(payout);
  return (
    <div className="grid grid-cols-1 gap-4 pb-6">
      <Sum payout={payout} />
      {trouble && (
        <Note
          tone={payout.state === 'left_out' ? 'mute' : 'warn'}
          icon={<CircleAlert aria-hidden />}
          title={trouble.why}
        >
          {trouble.money}
        </Note>
      )}
      <PayoutPapers payout={payout} />
      {payout.lines.length > 0 && <PayoutLines lines={payout.lines} />}
    </div>
  );
}

/** The transfer, and how its sum comes about. */
function Sum({ payout }: { payout: Story }) {
  const { t } = useLingui();
  const { tone, Icon, word } = usePayoutState(payout);
  const account = useAccount(payout);
  const rows = useParts(payout);
  const sum = sumOf(payout);
  const day = payout.paid_on ? t`On ${date(payout.paid_on)}` : t`Pay day ${date(payout.pay_day)}`;
  return (
    <Ticket
      stub={24 + rows.length * 32}
      foot={
        <dl className="grid min-w-0 flex-1 grid-cols-1">
          {rows.map(({ name, satang, last }) => (
            <div key={name} className="flex h-8 items-center justify-between gap-4 text-row">
              <dt className={last ? 'truncate font-semibold' : 'truncate text-muted-foreground'}>{name}</dt>
              <dd className={last ? 'font-semibold' : undefined}>{amount(satang)}</dd>
            </div>
          ))}
        </dl>
      }
    >
      <div className="grid justify-items-center px-4 pb-4 pt-4 text-center">
        <Chip tone={tone} icon={<Icon aria-hidden />}>
          {word}
        </Chip>
        <p className="mt-1 text-[38px] leading-[58px]">
          <Price satang={sum} struck={!arrives(payout) && sum > 0} />
        </p>
        <p className="text-sm text-muted-foreground">{[day, account].filter(Boolean).join(' · ')}</p>
        <p className="text-caption text-quiet">{payout.reference}</p>
      </div>
    </Ticket>
  );
}

/** What the transfer is the sum of. Where lines were cut off, or there are none, only the sum of them is known. */
function useParts(payout: Story): { name: string; satang: number; last?: boolean }[] {
  const { t } = useLingui();
  const end = useEnd(payout);
  const sumOfLines = (what: Story['lines'][number]['what']) =>
    payout.lines.reduce((sum, line) => (line.what === what ? sum + line.amount_satang : sum), 0);
  const [matured, back, again] = [sumOfLines('matured'), sumOfLines('taken_back'), sumOfLines('came_back')];
  const whole = payout.lines.length > 0 && matured + back + again === payout.gross_satang;
  const parts = whole
    ? [
        { name: t`Commission`, satang: matured },
        { name: t`Taken back`, satang: back },
        { name: t`From a payout that came back`, satang: again },
      ].filter(({ satang }) => satang)
    : [{ name: t`Net commission`, satang: payout.gross_satang }];
  if (!end) return parts;
  const withheld = { name: t`Withheld tax`, satang: -payout.withheld_satang };
  return [...parts, ...(payout.withheld_satang ? [withheld] : []), end];
}

/** What became of the sum. Who was left out has none. */
function useEnd({ state, account_digits, net_satang }: Story) {
  const { t } = useLingui();
  const names = {
    booked: t`Transfer to bank ····${account_digits}`,
    sent: t`Transfer to bank ····${account_digits}`,
    paid: t`Transfer to bank ····${account_digits}`,
    failed: t`Not paid to bank ····${account_digits}`,
    returned: t`Came back from bank ····${account_digits}`,
  };
  return state === 'left_out' ? null : { name: names[state], satang: net_satang, last: true };
}
