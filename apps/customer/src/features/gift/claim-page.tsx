import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { usePage, useTitle } from '@wlv/client/page';
import { Resting } from '../../shell/resting.tsx';
import { AcceptedGift } from './accepted-gift.tsx';
import { isUnknown, pausedUntil, useClaim, useRef } from './claim.ts';
import { DeclinedGift, GiftOver, OwnGift, UnknownGift } from './gift-over.tsx';
import { OpenedGift } from './opened-gift.tsx';
import { WrappedGift } from './wrapped-gift.tsx';

/** What the link of a gift leads to. Whoever opens it sees the gift; receiving it needs a sign-in. */
export function ClaimPage() {
  const ref = useRef();
  return ref ? <Claim key={ref} link={ref} /> : <UnknownGift />;
}

function Claim({ link }: { link: string }) {
  const { t } = useLingui();
  const claim = useClaim(link);
  const { gift, over } = claim;
  const { org } = usePage();
  useTitle(t`A gift for you`);

  if (claim.decline.isSuccess) return <DeclinedGift from={gift.data?.from} />;
  if (over) return <GiftOver {...over} />;
  if (gift.isPending) return <div role="status" aria-label={t`Loading…`} className="min-h-dvh bg-band" />;
  const paused = pausedUntil(gift.error);
  if (gift.isError && !paused) {
    if (isUnknown(gift.error)) return <UnknownGift />;
    return <Failure title={t`The gift did not load`} error={gift.error} onRetry={() => void gift.refetch()} />;
  }
  if (gift.data?.own) return <OwnGift gift={gift.data} />;
  if (gift.data?.state === 'claimed') return <AcceptedGift gift={gift.data} thank={claim.thank} />;
  if (gift.data && org?.suspended) return <Resting gift />;
  if (gift.data && claim.isUnwrapped) return <OpenedGift gift={gift.data} claim={claim} />;
  return <WrappedGift gift={gift.data} paused={paused} claim={claim} />;
}
