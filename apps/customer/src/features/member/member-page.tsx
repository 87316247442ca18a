import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, useBrand, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { baht, calendarDay, count, date, dateTime } from '@wlv/ui/format';
import { MemberFace } from '@wlv/ui/member-face';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleAlert, Clock, QrCode, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { useFreshenAfterPurchase } from '../../payment/use-freshen.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { CardBack } from './card-back.tsx';
import { Gated } from './gated.tsx';
import { PointsOf } from './points.tsx';
import { type CardOf, type Standing, spaced, useKeepStanding, usePoints, useStanding } from './standing.ts';

/** The card of a member, or what has become of his application. */
export function MemberPage() {
  const { t } = useLingui();
  const standing = useStanding();
  return (
    <InnerPage title={t`Member card`} parent="profile">
      {standing.isPending && <Skeleton className="h-56 rounded-card" />}
      {standing.isError && (
        <Failure title={t`This did not load`} error={standing.error} onRetry={() => void standing.refetch()} />
      )}
      {standing.data && <Shown standing={standing.data} />}
    </InnerPage>
  );
}

function Shown({ standing }: { standing: Standing }) {
  const { t } = useLingui();
  const { card, application } = standing;
  const waits = application?.state === 'pending';
  return (
    <div className="grid gap-4 pb-8">
      <Gated standing={standing} />
      {card && <Sides card={card} />}
      {card && <UntilWhen card={card} />}
      {card && card.state !== 'left' && <PointsOf state={card.state} />}
      {application && <Application application={application} />}
      {!card && !application && (
        <p className="py-6 text-center text-muted-foreground">{t`You have no member card here yet.`}</p>
      )}
      {!waits && <Onward standing={standing} />}
      {card && card.state !== 'left' && <Leave card={card} waits={waits} />}
      {(waits || card?.next) && (
        <TakeBack waits={waits} paid={(waits ? application.paid_satang : card?.next_paid_satang) ?? 0} />
      )}
    </div>
  );
}

/** The card, which turns over to its code as long as it can be used. */
function Sides({ card }: { card: CardOf }) {
  const { t } = useLingui();
  const [turned, setTurned] = useState(false);
  if (card.state !== 'active') return <Face card={card} />;
  return (
    <>
      {turned ? <CardBack card={card} /> : <Face card={card} />}
      <Button wide variant={turned ? 'ghost' : 'default'} onClick={() => setTurned(!turned)}>
        {turned ? <RotateCw aria-hidden /> : <QrCode aria-hidden />}
        {turned ? t`Turn to the front` : t`Show the code to the staff`}
      </Button>
      {turned && (
        <p className="text-center text-sm text-quiet">
          {t`Staff scan it to see your card and your vouchers. While this page is open it works without a connection.`}
        </p>
      )}
    </>
  );
}

function Face({ card }: { card: CardOf }) {
  const { t } = useLingui();
  const brand = useBrand();
  const text = useTexts();
  const since = date(card.since);
  const beside = {
    active: card.ends_on ? date(card.ends_on) : t`No end`,
    suspended: t`Suspended`,
    expired: t`Ended`,
    left: t`Left`,
  };
  return (
    <MemberFace
      mark={<BrandMark size={40} onBand />}
      shop={brand}
      line={t`Member since ${since}`}
      type={text(card, 'type_name')}
      name={card.name}
      number={spaced(card.number)}
      beside={beside[card.state]}
      picture={pictureURL(card.picture_id, 800)}
      grey={card.state !== 'active'}
    />
  );
}

function UntilWhen({ card }: { card: CardOf }) {
  const { t } = useLingui();
  const end = card.ends_on ? date(card.ends_on) : '';
  const next = card.next_ends_on ? date(card.next_ends_on) : '';
  const words = {
    active: end ? t`Your card is valid until ${end}.` : t`Your card has no end.`,
    suspended: t`The shop has suspended your card. Its last day stays the same.`,
    expired: t`Your card ended on ${end}. You can apply again and keep your number.`,
    left: t`You are not a member any more. You can apply again and keep your number.`,
  };
  return (
    <Card className="px-4 py-3.5">
      <p>{words[card.state]}</p>
      {card.next && (
        <p className="mt-1 text-sm text-quiet">
          {next ? t`It is renewed already, until ${next}.` : t`It is renewed already, without an end.`}
        </p>
      )}
    </Card>
  );
}

function Application({ application }: { application: NonNullable<Standing['application']> }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(application, 'type_name');
  const at = dateTime(application.sent_at);
  const sum = baht(application.paid_satang);
  if (application.state === 'pending') {
    return (
      <Card className="grid gap-2 border-2 border-dashed border-brand-mark bg-accent p-4 shadow-none">
        <h2 className="flex items-center gap-2 text-h2 font-semibold">
          <Clock aria-hidden className="size-5" />
          {t`The shop is looking at your application`}
        </h2>
        <p className="text-muted-foreground">
          {application.paid_satang
            ? t`${name}, sent ${at}. You have paid ${sum}, which comes back to your Wallet if the shop does not approve. What nobody answers within 30 days is refused.`
            : t`${name}, sent ${at}. Nothing is paid. What nobody answers within 30 days is refused.`}
        </p>
      </Card>
    );
  }
  return (
    <Note tone="warn" icon={<CircleAlert aria-hidden />}>
      <p className="font-semibold">
        {application.paid_satang
          ? t`${sum} is in your Wallet again. The shop did not approve ${name}.`
          : t`The shop did not approve ${name}. Nothing was paid.`}
      </p>
      <p>
        {application.reason ? `“${application.reason}”` : t`Nobody answered within 30 days. You can send it again.`}
      </p>
    </Note>
  );
}

/** What the customer can apply for now. */
function Onward({ standing }: { standing: Standing }) {
  const { t } = useLingui();
  const { card, application, renews_from: from } = standing;
  if (card?.state === 'suspended') return null;
  const renews = from && from <= calendarDay(Date.now());
  const words = !card
    ? application
      ? t`Apply again`
      : t`Choose a card`
    : card.state !== 'active'
      ? t`Apply again`
      : renews
        ? t`Renew the card`
        : t`Other cards`;
  return (
    <Button asChild wide variant={card?.state === 'active' && !renews ? 'outline' : 'default'}>
      <AreaLink page="registermember">{words}</AreaLink>
    </Button>
  );
}

/** Ends the membership by the member's wish; asks first. */
function Leave({ card, waits }: { card: CardOf; waits: boolean }) {
  const { t } = useLingui();
  const keep = useKeepStanding();
  const freshen = useFreshenAfterPurchase();
  const [asked, setAsked] = useState(false);
  const leave = useMutation({
    ...mutation('/api/user/member/leave'),
    onSuccess: (now) => {
      keep(now);
      freshen();
      setAsked(false);
    },
  });
  const has = usePoints().data?.points ?? 0;
  const lapsing = count(has);
  const regret = card.regret_until && date(card.regret_until);
  const comesBack = card.next_paid_satang > 0 || waits;
  return (
    <Dialog open={asked} onOpenChange={setAsked}>
      <DialogTrigger asChild>
        <Button wide variant="ghost">{t`Stop being a member`}</Button>
      </DialogTrigger>
      <DialogContent
        title={t`Stop being a member?`}
        description={
          regret
            ? t`All that you paid for this card goes back to your Wallet until ${regret}. Your card ends today. You can apply again and keep your number.`
            : comesBack
              ? t`Your card ends today. What you paid for a term that has not begun goes back to your Wallet, and nothing of the one that runs. You can apply again and keep your number.`
              : t`Your card ends today, and nothing is paid back for the days that are left. You can apply again and keep your number.`
        }
        foot={
          <div className="flex gap-2.5">
            <DialogClose asChild>
              <Button variant="outline" className="flex-1">{t`Stay a member`}</Button>
            </DialogClose>
            <Button
              variant="destructive"
              className="flex-1"
              disabled={leave.isPending}
              onClick={() => leave.mutate({})}
            >
              {leave.isPending ? t`One moment…` : t`Stop being a member`}
            </Button>
          </div>
        }
      >
        {has > 0 && <p>{t`Your ${lapsing} points lapse at once.`}</p>}
        <FaultNote error={leave.error} />
      </DialogContent>
    </Dialog>
  );
}

function TakeBack({ waits, paid }: { waits: boolean; paid: number }) {
  const { t } = useLingui();
  const keep = useKeepStanding();
  const freshen = useFreshenAfterPurchase();
  const sum = baht(paid);
  const back = useMutation({
    ...mutation('/api/user/member/takeback'),
    onSuccess: (now) => {
      keep(now);
      freshen();
    },
  });
  return (
    <>
      <FaultNote error={back.error} />
      {paid > 0 && (
        <p className="text-center text-sm text-quiet">{t`If you take it back, ${sum} goes to your Wallet.`}</p>
      )}
      <Button wide variant="ghost" disabled={back.isPending} onClick={() => back.mutate({})}>
        {waits ? t`Take the application back` : t`Take the renewal back`}
      </Button>
    </>
  );
}
