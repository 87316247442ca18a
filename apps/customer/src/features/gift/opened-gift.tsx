import { Plural, useLingui } from '@lingui/react/macro';
import { LineButton } from '@wlv/client/entry/line-button';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, usePage, useTexts } from '@wlv/client/page';
import { useLocation } from '@wlv/client/router';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Disclosure } from '@wlv/ui/disclosure';
import { Fact } from '@wlv/ui/fact';
import { baht, date, lastDay } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Picture } from '@wlv/ui/picture';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, Gift as GiftIcon, MapPin, Users, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { ServicePointsSheet } from '../../shop/service-points-sheet.tsx';
import { type useClaim, useFromTop } from './claim.ts';
import type { Wrapped } from './gift.ts';
import { GiftCard } from './gift-card.tsx';
import { OpenPaper } from './gift-parcel.tsx';

type Claim = ReturnType<typeof useClaim>;

/** Unwrapped: the card with its words, what it is, and the rules of it, before anybody signs in. */
export function OpenedGift({ gift, claim }: { gift: Wrapped; claim: Claim }) {
  const { t } = useLingui();
  const { from } = gift;
  useFromTop();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that unwrapped it is gone: who does not see the page reads on from here.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip bg-band text-band-foreground">
      <div className="relative mx-auto w-full max-w-[520px] px-4 pb-6">
        <OpenPaper className="absolute left-1/2 top-0 w-[min(390px,100vw)] -translate-x-1/2" />
        <div className="relative -ml-2 flex items-center gap-1 pt-2 [&_:focus-visible]:outline-band-foreground">
          <IconButton asChild label={t`To the shop`} className="text-band-foreground">
            <AreaLink page="market">
              <X aria-hidden />
            </AreaLink>
          </IconButton>
          <h1 ref={heading} tabIndex={-1} className="min-w-0 truncate text-base font-medium outline-none">
            {t`From ${from}`}
          </h1>
        </div>
        <figure className="relative mx-auto mb-4 mt-3 max-w-[298px] -rotate-2 overflow-hidden rounded-[16px] bg-[#fffdf8] text-[#15130f] shadow-[0_16px_34px_-10px_rgb(0_0_0/42%)] animate-in fade-in-0 slide-in-from-bottom-3">
          <GiftCard card={gift.card} />
          {gift.words && (
            <figcaption className="whitespace-pre-line px-4 pb-4 pt-3 text-center text-state font-semibold wrap-anywhere">
              {gift.words}
            </figcaption>
          )}
        </figure>
        <div className="relative grid gap-3">
          {gift.contents.map((content, i) => (
            <Content key={i} content={content} />
          ))}
        </div>
      </div>
      <div className="flex-1 rounded-t-sheet bg-card text-card-foreground">
        <div className="mx-auto max-w-[520px] px-5 pb-40 pt-3.5 lg:pb-0">
          <Rules gift={gift} />
          <Answer gift={gift} claim={claim} />
        </div>
      </div>
    </div>
  );
}

function Content({ content }: { content: Wrapped['contents'][number] }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  return (
    <Ticket
      stub={66}
      foot={
        <>
          <div className="min-w-0 flex-1">
            <p className="text-caption text-quiet">{content.kind === 'item' ? t`How many` : t`Worth`}</p>
            <p className="font-semibold">
              <HowMuch content={content} />
            </p>
          </div>
          <div className="text-right">
            <p className="text-caption text-quiet">{t`Valid until`}</p>
            <p className="font-semibold">{date(content.valid_until)}</p>
          </div>
        </>
      }
    >
      <div className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
        <Picture
          src={pictureURL(content.picture, 160)}
          mark={<Mark size={32} />}
          className="size-16 shrink-0 rounded-tile"
        />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-2 text-caption text-quiet">
            <BrandMark size={20} />
            <span className="truncate">{brand}</span>
          </p>
          <h2 className="mt-0.5 line-clamp-2 text-lead font-semibold">{text(content, 'name')}</h2>
        </div>
      </div>
    </Ticket>
  );
}

export function HowMuch({ content: { kind, items } }: { content: Wrapped['contents'][number] }) {
  return kind === 'item' ? <Plural value={items} one="# time" other="# times" /> : baht(items);
}

/** How often who receives it may give it on, in words. */
export function useGivingOn({ transfer_rule: rule, transfers_left: left }: Wrapped) {
  const { t } = useLingui();
  if (rule === 'unlimited') return t`You can give it on`;
  if (rule === 'none' || !left) return t`It can't be given on`;
  return left === 1 ? t`You can give it on once more` : t`You can give it on ${left} more times`;
}

function Rules({ gift }: { gift: Wrapped }) {
  const { t } = useLingui();
  const text = useTexts();
  const givingOn = useGivingOn(gift);
  const { people, left } = gift;
  const until = lastDay(gift.expires_at);
  const usable = text(gift, 'usable');
  const conditions = text(gift, 'conditions');
  return (
    <div>
      <Where places={gift.where} />
      {usable && <Fact icon={<CalendarClock aria-hidden />} title={usable} />}
      {people > 1 && (
        <Fact
          icon={<Users aria-hidden />}
          title={t`${left} of ${people} are left, one each`}
          line={t`Who takes one sees the first names of the others, and they see yours.`}
        />
      )}
      <Fact icon={<GiftIcon aria-hidden />} title={givingOn} line={t`Receive it by the end of ${until}`} />
      {conditions && (
        <div className="mt-2 border-t">
          <Disclosure title={t`Conditions of use`}>{conditions}</Disclosure>
        </div>
      )}
    </div>
  );
}

function Where({ places }: { places: Wrapped['where'] }) {
  const { t } = useLingui();
  const text = useTexts();
  const [open, setOpen] = useState(false);
  const [first] = places;
  if (!first) return null;
  const name = text(first, 'name');
  return (
    <>
      <Fact
        icon={<MapPin aria-hidden />}
        title={places.length === 1 ? t`Use it at ${name}` : t`Use it at ${places.length} places`}
        line={places.length === 1 ? text(first, 'address') : places.map((place) => text(place, 'name')).join(' · ')}
        opens={(content, className) => (
          <button type="button" className={className} onClick={() => setOpen(true)}>
            {content}
          </button>
        )}
      />
      <ServicePointsSheet places={places} open={open} onOpen={setOpen} />
    </>
  );
}

/** Receiving and declining. Both need to know who it is. */
function Answer({ gift, claim: { receive, decline } }: { gift: Wrapped; claim: Claim }) {
  const { t } = useLingui();
  const signedIn = useSignedIn('user');
  const [asking, setAsking] = useState(false);
  const group = gift.people > 1;
  return (
    <>
      {!group && (
        <div className="mt-2 border-t pt-2">
          <Button variant="ghost" wide size="md" onClick={() => setAsking(true)}>
            {t`I would rather not receive it`}
          </Button>
        </div>
      )}
      <ActionFoot onCard className="grid gap-1.5 lg:max-w-none">
        <FaultNote error={receive.error} />
        {signedIn ? (
          <Button wide disabled={receive.isPending} aria-busy={receive.isPending} onClick={() => receive.mutate()}>
            <GiftIcon aria-hidden />
            {receive.isPending ? t`One moment…` : group ? t`Take one` : t`Receive the gift`}
          </Button>
        ) : (
          <>
            <SignIn label={group ? t`Take one with LINE` : t`Receive it with LINE`} />
            <p className="pt-1 text-center text-caption text-quiet">{t`Sign in with LINE once, at no cost`}</p>
          </>
        )}
      </ActionFoot>
      <AskDecline gift={gift} decline={decline} open={asking} onOpen={setAsking} signedIn={Boolean(signedIn)} />
    </>
  );
}

/** LINE's sign-in, which comes back to this very address. */
function SignIn({ label }: { label?: string }) {
  const { href } = useLocation();
  const { liffId } = useArea();
  const { org } = usePage();
  return (
    <LineButton
      {...(label ? { label } : {})}
      start={{
        audience: 'user',
        returnTo: href,
        ...(org ? { unique: org.unique } : {}),
        ...(liffId ? { liffId } : {}),
      }}
    />
  );
}

function AskDecline({
  gift: { from },
  decline,
  open,
  onOpen,
  signedIn,
}: {
  gift: Wrapped;
  decline: Claim['decline'];
  open: boolean;
  onOpen: (open: boolean) => void;
  signedIn: boolean;
}) {
  const { t } = useLingui();
  return (
    <Dialog open={open} onOpenChange={onOpen}>
      <DialogContent
        title={t`Give the gift back?`}
        description={t`It goes back to ${from}, and this link cannot be used any more.`}
      >
        <div className="grid gap-2.5 pt-2">
          <FaultNote error={decline.error} />
          {signedIn ? (
            <Button
              variant="destructive"
              wide
              disabled={decline.isPending}
              aria-busy={decline.isPending}
              onClick={() => decline.mutate()}
            >
              {t`Give it back`}
            </Button>
          ) : (
            <>
              <p className="text-sm text-muted-foreground">{t`Sign in first, then you can give it back.`}</p>
              <SignIn />
            </>
          )}
          <Button variant="ghost" wide onClick={() => onOpen(false)}>{t`Keep looking at it`}</Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
