import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { clsx } from 'clsx';
import {
  CalendarClock,
  Gift as GiftIcon,
  Heart,
  type LucideIcon,
  MailOpen,
  OctagonX,
  Ticket as TicketIcon,
  Undo2,
  X,
} from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { Begin, Extend, Withdraw } from './changes.tsx';
import { Contents } from './contents.tsx';
import { Envelopes } from './envelope.tsx';
import type { Gift } from './gift.ts';
import { GiftCard } from './gift-card.tsx';
import { SendFoot } from './send-foot.tsx';
import { useGiftState } from './state.ts';
import { Takers } from './takers.tsx';

/** That it was received is pushed; that it was opened is asked for. */
const pollEvery = 5_000;

/** A gift that the person gave, on its way and afterwards, or one that he received. */
export function GiftPage() {
  const { t } = useLingui();
  const { giftId = '' } = useParams<'giftId'>();
  const gift = useQuery({
    ...query('/api/user/transfer/detail', { id: giftId }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'open' ? pollEvery : false),
  });
  const gone = isFault(gift.error, 'gift.not_found') || isFault(gift.error, 'input.invalid');
  const group = gift.data && gift.data.people > 1;
  const title = group
    ? t`Ang-pao ${gift.data?.to_name ?? ''}`.trim()
    : gift.data
      ? gift.data.given
        ? t`Gift you gave`
        : t`Gift you received`
      : t`Gift`;
  return (
    <InnerPage title={title} parent="gifts" foot={gift.data !== undefined}>
      {gift.isPending && (
        <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-3.5">
          <Skeleton className="h-[210px] rounded-card" />
          <Skeleton className="h-[196px] rounded-card" />
        </div>
      )}
      {gift.isError && (!gift.data || gone) && (
        <Failure
          title={gone ? t`Gift not found` : t`The gift did not load`}
          error={gift.error}
          onRetry={() => void gift.refetch()}
        />
      )}
      {gift.data && !gone && (gift.data.given ? <Given gift={gift.data} /> : <Received gift={gift.data} />)}
    </InnerPage>
  );
}

function Given({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const open = gift.state === 'open';
  const scheduled = gift.state === 'scheduled';
  return (
    <div className={clsx('grid grid-cols-1 gap-3.5', open && 'pb-10')}>
      <GivenTicket gift={gift} />
      {gift.thanked_at && <Thanks gift={gift} at={gift.thanked_at} />}
      {gift.people > 1 && !scheduled ? (
        <>
          <Envelopes people={gift.people} takers={gift.takers} ended={!open} />
          <Takers takers={gift.takers} />
        </>
      ) : (
        <Card className="px-4 py-4">
          <Story gift={gift} />
        </Card>
      )}
      {(open || scheduled) && gift.digits && <Digits digits={gift.digits} />}
      {open && <Extend gift={gift} />}
      {(open || scheduled) && (
        <section className="grid grid-cols-1 gap-2.5 pt-1">
          <Withdraw gift={gift} />
          <p className="text-center text-caption text-quiet">
            {gift.people > 1
              ? t`What somebody has taken stays with them.`
              : t`You can take it back until somebody receives it.`}
          </p>
        </section>
      )}
      {open ? <SendFoot gift={gift} /> : scheduled ? <Begin gift={gift} /> : <ToVoucher gift={gift} />}
    </div>
  );
}

function GivenTicket({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const { title, line } = useGiftState(gift);
  return (
    <Ticket
      stub={72}
      foot={
        <div role="status" className="min-w-0 flex-1">
          <p className="truncate text-row font-medium">{title}</p>
          {line && <p className="line-clamp-2 text-caption text-quiet">{line}</p>}
        </div>
      }
    >
      <div className="flex items-start gap-3.5 px-4 pb-3.5 pt-3.5">
        <div className="w-[124px] shrink-0 overflow-hidden rounded-tile">
          <GiftCard card={gift.card} />
        </div>
        <div className="min-w-0 flex-1">
          {gift.to_name && <p className="truncate text-caption text-quiet">{t`To ${gift.to_name}`}</p>}
          <Contents contents={gift.contents} />
        </div>
      </div>
      <Words words={gift.words} className="px-4 pb-3.5 text-row text-muted-foreground" />
    </Ticket>
  );
}

function Words({ words, className }: { words: string; className: string }) {
  const { t } = useLingui();
  if (!words) return null;
  return <p className={clsx('whitespace-pre-line break-words', className)}>{t`“${words}”`}</p>;
}

function Thanks({ gift, at }: { gift: Gift; at: string }) {
  const { t } = useLingui();
  const { person } = gift;
  return (
    <Note
      tone="brand"
      icon={<Heart aria-hidden />}
      title={person ? t`${person} says thank you` : t`The receiver says thank you`}
    >
      {dateTime(at)}
    </Note>
  );
}

interface Step {
  icon: LucideIcon;
  title: string;
  line: string;
  state: 'done' | 'now' | 'ahead';
}

/** Made, opened, received; or how else it ended. */
function useSteps(gift: Gift): Step[] {
  const { t } = useLingui();
  const { word, title } = useGiftState(gift);
  const made: Step = { icon: GiftIcon, title: t`Wrapped`, line: dateTime(gift.created_at), state: 'done' };
  const opened: Step[] = gift.opened_at
    ? [{ icon: MailOpen, title: t`Opened`, line: dateTime(gift.opened_at), state: 'done' }]
    : gift.state === 'open'
      ? [{ icon: MailOpen, title: t`Not opened yet`, line: t`Send the link to the receiver`, state: 'now' }]
      : [];
  if (gift.state === 'scheduled') {
    return [made, { icon: CalendarClock, title: t`Waiting`, line: dateTime(gift.begins_at), state: 'now' }];
  }
  if (gift.state === 'open') {
    const last: Step = {
      icon: GiftIcon,
      title: t`Not received yet`,
      line: t`This page changes by itself when it is received`,
      state: gift.opened_at ? 'now' : 'ahead',
    };
    return [made, ...opened, last];
  }
  const icons = { claimed: GiftIcon, withdrawn: Undo2, declined: X, returned: Undo2, stopped: OctagonX };
  const ended: Step = {
    icon: icons[gift.state],
    title: gift.state === 'claimed' ? title : word,
    line: gift.ended_at ? dateTime(gift.ended_at) : '',
    state: 'done',
  };
  return [made, ...opened, ended];
}

const discs: Record<Step['state'], string> = {
  done: 'bg-accent text-accent-foreground',
  now: 'bg-card text-brand-text shadow-[inset_0_0_0_2px_var(--brand-mark),0_0_0_5px_var(--brand-soft)]',
  ahead: 'bg-muted text-quiet',
};

function Story({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const steps = useSteps(gift);
  return (
    <ol aria-label={t`Where the gift is`}>
      {steps.map(({ icon: Icon, title, line, state }, i) => (
        <li
          key={title}
          className="relative flex gap-3.5 pb-5 last:pb-0"
          aria-current={state === 'now' ? 'step' : undefined}
        >
          {i < steps.length - 1 && (
            <span aria-hidden className="absolute bottom-1 left-[15px] top-9 w-0.5 rounded-full bg-brand-mark/50" />
          )}
          <span className={clsx('relative grid size-8 shrink-0 place-items-center rounded-full', discs[state])}>
            <Icon aria-hidden className="size-4" strokeWidth={2} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block break-words text-row font-medium">{title}</span>
            <span className="block text-caption text-quiet">{line}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Digits({ digits }: { digits: string }) {
  const { t } = useLingui();
  return (
    <Card className="px-4 py-3.5">
      <p className="text-row font-medium">{t`Locked with 4 digits`}</p>
      <p className="text-caption text-quiet">{t`The receiver enters the last four of the mobile number before unwrapping.`}</p>
      <p className="sr-only">{digits.split('').join(' ')}</p>
      <div aria-hidden className="mt-3 flex gap-2">
        {digits.split('').map((digit, i) => (
          <span
            key={i}
            className="grid h-[52px] w-12 place-items-center rounded-touch text-[22px] font-semibold shadow-[inset_0_0_0_1px_var(--line-strong)]"
          >
            {digit}
          </span>
        ))}
      </div>
    </Card>
  );
}

function Received({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const { title, line } = useGiftState(gift);
  return (
    <div className="grid grid-cols-1 gap-3.5">
      <Card className="overflow-hidden">
        <GiftCard card={gift.card} />
        <div className="px-5 py-4 text-center">
          <Words words={gift.words} className="text-state font-semibold" />
          <p className={clsx('text-row text-muted-foreground', gift.words && 'pt-1.5')}>{title}</p>
        </div>
      </Card>
      <Ticket
        stub={56}
        foot={
          <p className="min-w-0 flex-1 truncate text-caption text-quiet">
            {gift.ended_at && t`Received ${dateTime(gift.ended_at)}`}
          </p>
        }
      >
        <div className="px-4 py-3.5">
          <Contents contents={gift.contents} />
        </div>
      </Ticket>
      {line && <Note tone="brand" icon={<Heart aria-hidden />} title={line} />}
      <Takers takers={gift.takers} />
      <ToVoucher gift={gift} />
    </div>
  );
}

/** The voucher, where it is the person's; several stand in his list. */
function ToVoucher({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const mine = gift.contents.filter((content) => content.voucher_id);
  const [first] = mine;
  if (!first) {
    return gift.given ? null : (
      <p className="px-1 text-center text-caption text-quiet">{t`This voucher is with somebody else now.`}</p>
    );
  }
  return (
    <ActionFoot>
      <Button asChild wide>
        <AreaLink page={mine.length === 1 ? `activevoucher/${first.voucher_id}` : 'activevoucher'}>
          <TicketIcon aria-hidden />
          {mine.length === 1 ? t`Open the voucher` : t`Open your vouchers`}
        </AreaLink>
      </Button>
    </ActionFoot>
  );
}
