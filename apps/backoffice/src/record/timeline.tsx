import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { clsx } from 'clsx';
import {
  Ban,
  Banknote,
  CalendarClock,
  CalendarPlus,
  CalendarX,
  CircleAlert,
  CircleCheck,
  CircleX,
  FileCheck,
  Gift,
  Hand,
  Handshake,
  Heart,
  Link2,
  type LucideIcon,
  MailOpen,
  ReceiptText,
  RotateCcw,
  ScanLine,
  Scissors,
  ShieldCheck,
  ShoppingBag,
  Snowflake,
  Tag,
  Ticket,
  TicketCheck,
  Undo2,
  UserPlus,
} from 'lucide-react';
import { useState } from 'react';
import { EventLine, EventTitle } from './event-words.tsx';
import type { StoryEvent } from './story.ts';

type Group = 'sale' | 'use' | 'voucher' | 'money' | 'person';

const groups: Record<Group, MessageDescriptor> = {
  sale: msg`Purchases`,
  use: msg`Uses`,
  voucher: msg`Vouchers`,
  money: msg`Money`,
  person: msg`Person`,
};

const tiles = {
  ok: 'bg-ok-soft text-ok-text',
  brand: 'bg-accent text-brand-text',
  second: 'bg-second-soft text-second-text',
  info: 'bg-info-soft text-info-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
  mute: 'bg-muted text-muted-foreground',
} as const;

const looks: Record<StoryEvent['kind'], [icon: LucideIcon, tile: keyof typeof tiles, group: Group]> = {
  ordered: [ShoppingBag, 'brand', 'sale'],
  paid: [CircleCheck, 'ok', 'sale'],
  unpaid: [CalendarX, 'mute', 'sale'],
  issued: [Ticket, 'brand', 'sale'],
  scanned: [ScanLine, 'warn', 'use'],
  used: [TicketCheck, 'ok', 'use'],
  expired: [CalendarX, 'mute', 'voucher'],
  frozen: [Snowflake, 'warn', 'voucher'],
  released: [ShieldCheck, 'ok', 'voucher'],
  refunded: [Undo2, 'info', 'voucher'],
  void: [Ban, 'bad', 'voucher'],
  given: [Gift, 'brand', 'voucher'],
  claimed: [Gift, 'ok', 'voucher'],
  came_back: [Undo2, 'mute', 'voucher'],
  offered: [Tag, 'brand', 'voucher'],
  off_sale: [Undo2, 'mute', 'voucher'],
  resold: [Tag, 'ok', 'voucher'],
  begun: [CalendarClock, 'info', 'voucher'],
  sold: [Tag, 'ok', 'voucher'],
  opened: [MailOpen, 'info', 'voucher'],
  extended: [CalendarPlus, 'mute', 'voucher'],
  thanked: [Heart, 'ok', 'voucher'],
  split: [Scissors, 'mute', 'voucher'],
  split_off: [Scissors, 'brand', 'voucher'],
  objected: [Hand, 'warn', 'use'],
  stands: [ShieldCheck, 'ok', 'use'],
  undone: [RotateCcw, 'info', 'use'],
  issued_anew: [RotateCcw, 'brand', 'voucher'],
  reissued: [RotateCcw, 'warn', 'voucher'],
  started: [ReceiptText, 'brand', 'money'],
  captured: [Banknote, 'ok', 'money'],
  uncaptured: [CircleX, 'mute', 'money'],
  fee: [ReceiptText, 'mute', 'money'],
  sent_back: [Undo2, 'warn', 'money'],
  disputed: [CircleAlert, 'bad', 'money'],
  dispute_won: [ShieldCheck, 'ok', 'money'],
  taken_back: [Undo2, 'info', 'money'],
  debt_paid: [Banknote, 'ok', 'money'],
  borne: [Banknote, 'warn', 'money'],
  written_off: [Banknote, 'warn', 'money'],
  commission: [Handshake, 'second', 'money'],
  commission_recruiter: [Handshake, 'second', 'money'],
  commission_reversed: [Handshake, 'warn', 'money'],
  commission_restored: [Handshake, 'ok', 'money'],
  commission_matured: [Handshake, 'ok', 'money'],
  commission_unmatured: [Handshake, 'warn', 'money'],
  commission_held: [Handshake, 'warn', 'money'],
  commission_freed: [Handshake, 'ok', 'money'],
  commission_denied: [Handshake, 'bad', 'money'],
  came: [UserPlus, 'brand', 'person'],
  accepted: [FileCheck, 'info', 'person'],
  approved: [Handshake, 'second', 'person'],
  linked: [Link2, 'brand', 'person'],
  wrote: [MailOpen, 'info', 'person'],
};

/** What happened to a record, the newest first; `here` is the record whose page it is. */
export function Timeline({ events, more, here }: { events: StoryEvent[]; more: boolean; here: string }) {
  const { t, i18n } = useLingui();
  const [only, setOnly] = useState<Group>();
  const of = (group: Group) => events.filter(({ kind }) => looks[kind][2] === group);
  const offered = (Object.keys(groups) as Group[]).filter((group) => of(group).length > 0);
  const shown = only ? of(only) : events;
  return (
    <Card office className="min-w-0 px-[18px] py-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-base font-semibold">{t`What happened`}</h2>
        {offered.length > 1 && (
          <div role="group" aria-label={t`Show only`} className="no-scrollbar flex gap-2 overflow-x-auto">
            <Pill on={!only} count={events.length} onClick={() => setOnly(undefined)}>{t`All`}</Pill>
            {offered.map((group) => (
              <Pill key={group} on={only === group} count={of(group).length} onClick={() => setOnly(group)}>
                {i18n._(groups[group])}
              </Pill>
            ))}
          </div>
        )}
      </div>
      <ol aria-label={t`What happened`}>
        {shown.map((event, i) => (
          <EventRow
            key={`${event.kind}-${event.id}-${event.at}`}
            event={event}
            here={here}
            last={i === shown.length - 1}
          />
        ))}
      </ol>
      {more && (
        <p className="pt-2 text-caption text-quiet">{t`The newest ${events.length}; what is older stands in the lists.`}</p>
      )}
    </Card>
  );
}

function Pill({ on, count, onClick, children }: { on: boolean; count: number; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={clsx(
        'inline-flex h-9 shrink-0 items-center gap-1.5 rounded-small px-3 font-medium',
        on ? 'bg-foreground text-background' : 'bg-card shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted',
      )}
    >
      {children} <span>{count}</span>
    </button>
  );
}

function EventRow({ event, here, last }: { event: StoryEvent; here: string; last: boolean }) {
  const [Icon, tile] = looks[event.kind];
  return (
    <li className="relative flex gap-3 pb-4 last:pb-1">
      {!last && <span aria-hidden className="absolute bottom-1 left-[17px] top-10 w-px bg-border" />}
      <span className={clsx('grid size-9 shrink-0 place-items-center rounded-[11px] [&_svg]:size-[18px]', tiles[tile])}>
        <Icon aria-hidden />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
        <div className="min-w-0 max-sm:w-full">
          <p className="font-medium wrap-break-word [&_a]:underline [&_a]:decoration-1 [&_a]:underline-offset-3">
            <EventTitle event={event} here={here} />
          </p>
          <p className="text-caption text-quiet wrap-break-word empty:hidden [&_a]:py-0.5 [&_a]:underline [&_a]:underline-offset-3">
            <EventLine event={event} here={here} />
          </p>
        </div>
        <time dateTime={event.at} className="shrink-0 whitespace-nowrap text-caption text-quiet">
          {dateTime(event.at)}
        </time>
      </div>
    </li>
  );
}
