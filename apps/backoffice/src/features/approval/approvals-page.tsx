import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, dateTime } from '@wlv/ui/format';
import { EmptyState } from '@wlv/ui/state';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@wlv/ui/tabs';
import { clsx } from 'clsx';
import {
  Ban,
  CalendarPlus,
  Coins,
  Eraser,
  FileText,
  HandCoins,
  HeartHandshake,
  Landmark,
  type LucideIcon,
  ShieldCheck,
  Undo2,
  Wallet,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Elsewhere } from '../../shell/elsewhere.tsx';
import { AgentsWaiting } from './agents-waiting.tsx';
import { ApprovalDetail } from './approval-detail.tsx';
import { type Approval, approvalStates, useKindName } from './approval-words.ts';

type Inbox = Detail<'/api/owner/approval/inbox'>;
type Tab = 'waiting' | 'asked' | 'answered';

const inbox = query('/api/owner/approval/inbox', {});

/** What a second person has to look at: what waits at the left, the one chosen whole beside it. */
export function ApprovalsPage({ id }: { id?: string | undefined }) {
  // Nothing is added here.
  return id === 'new' ? <Elsewhere to="/owner/approval" /> : <InboxOf id={id} />;
}

function InboxOf({ id }: { id: string | undefined }) {
  const { t } = useLingui();
  const title = t({ message: 'Approvals', context: 'inbox' });
  useTitle(title);
  const { data } = useSuspenseQuery(inbox);
  const [chosen, setChosen] = useState<Tab>();
  const tab = chosen ?? tabOf(data, id);
  const rows = data[tab];
  const current = id ?? (tab === 'waiting' ? rows[0]?.id : undefined);
  useKeys(rows, current);
  const client = useQueryClient();
  const navigate = useNavigate();
  const goTo = (next: Tab) => {
    setChosen(next);
    if (id) void navigate({ to: '/owner/$screen', params: { screen: 'approval' } });
  };
  return (
    <>
      <h1 className="mb-3 text-h1-office font-semibold">{title}</h1>
      <Tabs value={tab} onValueChange={(next) => goTo(next as Tab)}>
        <TabsList>
          <TabsTrigger value="waiting">
            {t`Wait for you`} <Count of={data.waiting} />
          </TabsTrigger>
          <TabsTrigger value="asked">
            {t`You asked`} <Count of={data.asked} />
          </TabsTrigger>
          <TabsTrigger value="answered">{t`Answered`}</TabsTrigger>
        </TabsList>
        <TabsContent value={tab} className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,380px)_minmax(0,1fr)]">
          <div className={clsx('grid min-w-0 grid-cols-1 content-start gap-4', id && 'max-lg:hidden')}>
            <Card office className="p-2">
              {rows.length ? (
                <ul aria-label={title}>
                  {rows.map((row) => (
                    <Item key={row.id} row={row} active={row.id === current} />
                  ))}
                </ul>
              ) : (
                <Nothing tab={tab} />
              )}
            </Card>
            <AgentsWaiting />
            <Rules of={data.rules} />
          </div>
          {current ? (
            <ApprovalDetail
              key={current}
              id={current}
              alone={Boolean(id)}
              onAnswered={() => client.invalidateQueries({ queryKey: inbox.queryKey })}
            />
          ) : (
            rows.length > 0 && (
              <Card
                office
                className="grid place-items-center p-8 text-quiet max-lg:hidden"
              >{t`Choose one at the left.`}</Card>
            )
          )}
        </TabsContent>
      </Tabs>
    </>
  );
}

/** The tab in which the one that the address names stands. */
function tabOf(data: Inbox, id: string | undefined): Tab {
  const tabs: Tab[] = ['asked', 'answered'];
  return tabs.find((tab) => data[tab].some((row) => row.id === id)) ?? 'waiting';
}

function Count({ of }: { of: Approval[] }) {
  return of.length ? <span className="ml-1 text-quiet">{of.length}</span> : null;
}

/** J and K go to the next one and the one before, as long as nobody writes something. */
function useKeys(rows: Approval[], current: string | undefined) {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[event.key.toLowerCase()];
      const writes =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, [contenteditable], [role=dialog]');
      if (!step || writes || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = rows[rows.findIndex((row) => row.id === current) + step];
      if (next) void navigate({ to: '/owner/$screen/$id', params: { screen: 'approval', id: next.id } });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [rows, current, navigate]);
}

const icons: Record<Approval['kind'], LucideIcon> = {
  refund: Undo2,
  refund_request: Undo2,
  void: Ban,
  write_off: Eraser,
  goodwill: HeartHandshake,
  bank_transfer: Landmark,
  cashout: Wallet,
  payout: HandCoins,
  tax_return: FileText,
  denial: HandCoins,
  points: Coins,
  extend: CalendarPlus,
  rule: ShieldCheck,
};

function Item({ row, active }: { row: Approval; active: boolean }) {
  const { t, i18n } = useLingui();
  const name = useKindName();
  const Icon = icons[row.kind];
  const state = approvalStates[row.state];
  const at = dateTime(row.asked_at);
  return (
    <li>
      <Link
        to="/owner/$screen/$id"
        params={{ screen: 'approval', id: row.id }}
        aria-current={active || undefined}
        className={clsx('flex gap-3 rounded-touch p-3', active ? 'bg-accent' : 'hover:bg-muted')}
      >
        <span className="grid size-9 shrink-0 place-items-center rounded-[11px] bg-card text-brand-text shadow-[inset_0_0_0_1px_var(--line)]">
          <Icon aria-hidden className="size-[18px]" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex gap-3">
            <span className={clsx('min-w-0 flex-1 truncate font-medium', active && 'text-brand-text')}>
              {name(row)}
            </span>
            {row.amount_satang > 0 && <span className="font-medium">{amount(row.amount_satang)}</span>}
          </span>
          <span className="block truncate text-caption text-quiet">
            {[row.customer_name, row.note].filter(Boolean).join(' · ')}
          </span>
          <span className="flex flex-wrap items-center gap-2 text-caption text-quiet">
            {t`${row.asked_by_name} asked · ${at}`}
            {row.state !== 'waiting' && <Chip tone={state.tone}>{i18n._(state.title)}</Chip>}
          </span>
        </span>
      </Link>
    </li>
  );
}

function Nothing({ tab }: { tab: Tab }) {
  const { t } = useLingui();
  const words = {
    waiting: [
      t`Nothing waits for you`,
      t`When somebody asks for something that needs a second person, it stands here.`,
    ],
    asked: [t`You asked for nothing that still waits`, t`What you ask for stands here until somebody has answered.`],
    answered: [t`Nothing was answered yet`, t`Whoever asked and answered, and when, stays here.`],
  } as const;
  const [title, line] = words[tab];
  return <EmptyState title={title} line={line} />;
}

/** What needs a second person in this shop. */
function Rules({ of }: { of: Inbox['rules'] }) {
  const { t } = useLingui();
  const { can } = usePerson();
  return (
    <Card office className="grid gap-2.5 px-[18px] py-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-base font-semibold">{t`What needs two people`}</h2>
        {can('setting', 'u') && (
          <Link
            to="/owner/$screen"
            params={{ screen: 'settingapproval' }}
            className="text-caption font-medium text-brand-text"
          >
            {t`Change`}
          </Link>
        )}
      </div>
      <dl className="flex justify-between gap-3">
        <dt className="text-muted-foreground">{t`Refunds above`}</dt>
        <dd className="font-medium">
          {of.refund_above_satang === null ? t`nobody needed` : baht(of.refund_above_satang)}
        </dd>
      </dl>
      <p className="text-caption text-quiet">
        {t`Who asked cannot approve. What nobody answers within 3 days lapses.`}
      </p>
    </Card>
  );
}
