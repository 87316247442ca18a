import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { IconButton } from '@wlv/ui/icon-button';
import { Input } from '@wlv/ui/input';
import { EmptyState } from '@wlv/ui/state';
import { VoucherTicketSkeleton } from '@wlv/ui/voucher-ticket';
import { History, Search, Store } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { KeptNote } from '../../offline/kept-note.tsx';
import { useVouchers } from '../../offline/vouchers.ts';
import { UnfinishedPurchase } from '../../payment/unfinished-purchase.tsx';
import { WaitingOrders } from '../../payment/waiting-orders.tsx';
import { InUseRow } from './in-use-row.tsx';
import { asOne, type Voucher } from './voucher.ts';
import { VoucherItem } from './voucher-item.tsx';

const views = ['ready', 'used', 'expired', 'all'] as const;
type View = (typeof views)[number];

const list = 'mx-auto grid max-w-[1120px] grid-cols-1 gap-3.5 px-4 sm:grid-cols-2 sm:px-6 lg:grid-cols-3';

export function VouchersPage() {
  const { t } = useLingui();
  useTitle(t`My Voucher & Ticket`);
  const search = useSearch<{ state?: View }>();
  const view = search.state ?? 'ready';
  const [searching, setSearching] = useState(false);
  const [word, setWord] = useState('');

  return (
    <>
      <div className="mx-auto max-w-[1120px]">
        <div className="flex items-center justify-between px-4 pt-[18px] sm:px-6">
          <h1 className="text-h1 font-semibold">{t`My Voucher & Ticket`}</h1>
          <div className="flex">
            <IconButton label={t`Search`} aria-expanded={searching} onClick={() => setSearching(!searching)}>
              <Search aria-hidden />
            </IconButton>
            <IconButton label={t`History`} asChild>
              <AreaLink page="history">
                <History aria-hidden />
              </AreaLink>
            </IconButton>
          </div>
        </div>
        {searching && (
          <div className="px-4 pt-2 sm:px-6">
            <Input
              autoFocus
              type="search"
              aria-label={t`Search by name or code`}
              placeholder={t`Search by name or code`}
              value={word}
              onChange={(event) => setWord(event.target.value)}
              before={<Search aria-hidden className="size-5" />}
            />
          </div>
        )}
        <Views view={view} />
      </div>
      <div className="mx-auto max-w-[1120px] px-4 sm:px-6">
        <UnfinishedPurchase />
        <WaitingOrders />
      </div>
      <Vouchers view={view} word={searching ? word : ''} />
    </>
  );
}

function Views({ view }: { view: View }) {
  const { t } = useLingui();
  const { go } = useArea();
  const counts = useVouchers('/api/user/voucher/list', { filter: { state: view } }).data?.counts;
  const names: Record<View, string> = { ready: t`Ready`, used: t`Used`, expired: t`Expired`, all: t`All` };
  return (
    <FilterPills aria-label={t`Show`} className="pt-2.5!">
      {views.map((name) => (
        <FilterPill
          key={name}
          on={name === view}
          count={counts?.[name] || undefined}
          onClick={() => void go('activevoucher', name === 'ready' ? {} : { state: name }, { replace: true })}
        >
          {names[name]}
        </FilterPill>
      ))}
    </FilterPills>
  );
}

function Vouchers({ view, word }: { view: View; word: string }) {
  const { t } = useLingui();
  const text = useTexts();
  const vouchers = useVouchers('/api/user/voucher/list', { filter: { state: view } });

  if (vouchers.isPending) return <Skeletons />;
  if (!vouchers.data) {
    return (
      <Failure title={t`Your vouchers did not load`} error={vouchers.error} onRetry={() => void vouchers.refetch()} />
    );
  }

  const all = vouchers.data.data;
  const searched = word.trim() !== '';
  const matches = (v: Voucher) => `${text(v, 'name')} ${v.code}`.toLowerCase().includes(word.trim().toLowerCase());
  const inUse = all.filter((v) => v.use_session);
  const rest = asOne(all.filter((v) => !v.use_session));
  const shown = rest.filter((vouchers) => vouchers.some(matches));

  if (!all.length) return <Nothing view={view} />;
  return (
    <>
      <div className="mx-auto max-w-[1120px] px-4 sm:px-6 [&:not(:empty)]:pb-3.5">
        <KeptNote of={vouchers} />
      </div>
      {inUse.length > 0 && (
        <div className={`${list} mb-3.5`}>
          {inUse.map((voucher) => (
            <InUseRow key={voucher.id} voucher={voucher} />
          ))}
        </div>
      )}
      <div className={list}>
        {shown.map((vouchers) => (
          <VoucherItem key={vouchers[0].id} vouchers={vouchers} />
        ))}
      </div>
      {rest.length > 0 && !shown.length && (
        <EmptyState title={t`Voucher not found`} line={t`Try a shorter word, or another list above.`} />
      )}
      {searched && rest.length > 0 && (
        <p className="pt-5 text-center text-caption text-quiet">{t`Showing ${shown.length} of ${rest.length}`}</p>
      )}
    </>
  );
}

function Nothing({ view }: { view: View }) {
  const { t } = useLingui();
  const words: Record<View, { title: string; line: string; action?: ReactNode }> = {
    ready: {
      title: t`No voucher ready to use`,
      line: t`Ones you buy will wait here.`,
      action: (
        <Button asChild>
          <AreaLink page="market">
            <Store aria-hidden />
            {t`Choose in the market`}
          </AreaLink>
        </Button>
      ),
    },
    used: { title: t`No used vouchers yet`, line: t`A voucher moves here once all of it has been used.` },
    expired: { title: t`No expired vouchers`, line: t`We remind you in the list before a voucher ends.` },
    all: { title: t`No vouchers yet`, line: t`Ones you buy will wait here.` },
  };
  return <EmptyState {...words[view]} />;
}

function Skeletons() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className={list}>
      {['a', 'b', 'c'].map((key) => (
        <VoucherTicketSkeleton key={key} />
      ))}
    </div>
  );
}
