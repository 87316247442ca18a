import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { liveQuery } from '@wlv/client/realtime';
import { Card } from '@wlv/ui/card';
import { amount, baht, date, time } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Handshake, type LucideIcon, ShoppingBag, TicketCheck, UserPlus, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Module } from '../../access/modules.ts';
import { usePerson } from '../../access/person.ts';

type Event = Row<'/api/owner/dashboard/activity'>;

/** What has just happened; the server says when there is something new. */
export function ActivityFeed() {
  const { t } = useLingui();
  const events = useQuery(query('/api/owner/dashboard/activity', {}));
  const live = useQuery(liveQuery);
  return (
    <Card office className="min-w-0 px-[18px] py-4">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">{t`Just happened`}</h2>
        {live.data && (
          <span className="flex items-center gap-1.5 text-caption font-medium text-ok-text">
            <span aria-hidden className="size-2 rounded-full bg-ok" />
            {t`Live now`}
          </span>
        )}
      </div>
      {events.isPending && <Skeleton className="h-[250px]" />}
      {events.isError && (
        <Failure title={t`This did not load`} error={events.error} onRetry={() => void events.refetch()} />
      )}
      {events.data &&
        (events.data.data.length ? (
          <ul>
            {events.data.data.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        ) : (
          <EmptyState
            className="px-2! py-3! [&>svg]:h-[92px]"
            title={t`Nothing has happened yet`}
            line={t`Sales and uses appear here by themselves.`}
          />
        ))}
    </Card>
  );
}

/** How a kind of event looks, and the screen it opens for who may see that screen's module. */
export const looks = {
  use: { icon: TicketCheck, tile: 'bg-ok-soft text-ok-text', screen: 'voucherlist', module: 'voucher' },
  sale: { icon: ShoppingBag, tile: 'bg-accent text-brand-text', screen: 'orderlist', module: 'soldtransaction' },
  agent: {
    icon: Handshake,
    tile: 'bg-second-soft text-second-text',
    screen: 'orderlist',
    module: 'soldtransaction',
  },
  credit: { icon: Wallet, tile: 'bg-info-soft text-info-text', screen: 'customerlist', module: 'customer' },
  newcomer: { icon: UserPlus, tile: 'bg-accent text-brand-text', screen: 'customerlist', module: 'customer' },
} satisfies Record<string, { icon: LucideIcon; tile: string; screen: string; module: Module }>;

function EventRow({ event }: { event: Event }) {
  const { icon: Icon, tile, screen, module } = looks[event.agent_name ? 'agent' : event.kind];
  const { can } = usePerson();
  const opens = can(module, 'v');
  const words = <Title event={event} />;
  const satang = event.kind === 'sale' || event.kind === 'credit' ? amount(event.amount_satang) : '';
  const today = date(event.at) === date(Date.now());
  return (
    <li className="relative flex items-center gap-3 py-1.5">
      <span className={`grid size-9 shrink-0 place-items-center rounded-[11px] [&_svg]:size-[18px] ${tile}`}>
        <Icon aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex gap-1.5 font-medium">
          {opens ? (
            <Link
              to="/owner/$screen/$id"
              params={{ screen, id: event.record_id }}
              className="truncate text-foreground after:absolute after:inset-0"
            >
              {words}
            </Link>
          ) : (
            <span className="truncate">{words}</span>
          )}
          {satang && <span className="shrink-0">{satang}</span>}
        </p>
        <p className="truncate text-caption text-quiet">
          <Line event={event} />
        </p>
      </div>
      <time dateTime={event.at} className="shrink-0 text-caption text-muted-foreground">
        {today ? time(event.at) : date(event.at).slice(0, 5)}
      </time>
    </li>
  );
}

function Title({ event }: { event: Event }): ReactNode {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(event, 'name');
  if (event.kind === 'use') {
    return (
      <>
        {t`Used ${name}`}{' '}
        {event.unit === 'baht' ? baht(event.quantity) : <Plural value={event.quantity} one="# time" other="# times" />}
      </>
    );
  }
  if (event.kind === 'sale') return t`Sold ${name}`;
  if (event.kind === 'newcomer') return t`New customer`;
  return event.reason === 'topup' ? t`Top-up` : t`Into a wallet`;
}

function Line({ event }: { event: Event }): ReactNode {
  const { t } = useLingui();
  const text = useTexts();
  const { customer_name: who, agent_name: agent } = event;
  const pieces = event.kind === 'sale' && event.quantity > 1 && (
    <>
      {' · '}
      <Plural value={event.quantity} one="# piece" other="# pieces" />
    </>
  );
  if (event.kind === 'use') return `${text(event, 'service_point_name')} · ${who}`;
  if (agent)
    return (
      <>
        {t`By the agent ${agent}`}
        {pieces}
      </>
    );
  if (event.reason === 'order') return t`${who} · for an order that was not made`;
  if (event.reason === 'offer') return t`${who} · for an offer that was not bought`;
  if (event.reason === 'duplicate') return t`${who} · paid twice`;
  return (
    <>
      {who}
      {pieces}
    </>
  );
}
