import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, useTexts } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { date } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Picture } from '@wlv/ui/picture';
import { ItemStubs, TornTicket } from '@wlv/ui/torn-ticket';
import { Check, Heart, QrCode, Ticket as TicketIcon, X } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { type useClaim, useFromTop } from './claim.ts';
import type { Wrapped } from './gift.ts';
import { HowMuch, useGivingOn } from './opened-gift.tsx';
import { Takers } from './takers.tsx';

type Content = Wrapped['contents'][number];

/** Received: the ticket that is the person's now, and thanks to who gave it. It stands here at each later visit of the link too. */
export function AcceptedGift({ gift, thank }: { gift: Wrapped; thank: ReturnType<typeof useClaim>['thank'] }) {
  const { t } = useLingui();
  const { from } = gift;
  useFromTop();
  // What was given on since is another's.
  const mine = gift.contents.find((content) => content.voucher_id);
  return (
    <div className="pb-60 lg:pb-12">
      <Band className="pb-24">
        <div className="mx-auto max-w-[760px] px-4 pt-2 sm:px-6">
          <IconButton asChild label={t`To the shop`} className="text-band-foreground">
            <AreaLink page="market">
              <X aria-hidden />
            </AreaLink>
          </IconButton>
          <div role="status" className="grid justify-items-center text-center">
            <h1 className="text-[28px] font-semibold leading-[42px]">
              {mine ? t`It is yours` : t`You have received this gift`}
            </h1>
            <p className="text-row text-band-quiet">{t`A gift from ${from}`}</p>
          </div>
        </div>
      </Band>
      <div className="mx-auto -mt-[74px] max-w-[520px] px-2">
        {gift.contents.map((content, i) => (
          <Received key={i} gift={gift} content={content} />
        ))}
        {gift.takers.length > 0 && (
          <section className="px-2 pt-5">
            <h2 className="pb-2 text-h2 font-semibold">{t`Who has one`}</h2>
            <Takers takers={gift.takers} />
          </section>
        )}
        <ActionFoot className="grid grid-cols-1 gap-2.5">
          <Thanks gift={gift} thank={thank} />
          <div className="grid auto-cols-fr grid-flow-col gap-2.5">
            {mine && (
              <Button asChild variant="outline">
                <AreaLink page={`activevoucher/${mine.voucher_id}`}>
                  <QrCode aria-hidden />
                  {t`Use now`}
                </AreaLink>
              </Button>
            )}
            <Button asChild variant="outline">
              <AreaLink page="activevoucher">
                <TicketIcon aria-hidden />
                {mine ? t`Keep for later` : t`See my vouchers`}
              </AreaLink>
            </Button>
          </div>
        </ActionFoot>
      </div>
    </div>
  );
}

function Received({ gift, content }: { gift: Wrapped; content: Content }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const givingOn = useGivingOn(gift);
  const until = date(content.valid_until);
  return (
    <TornTicket
      stub={
        <>
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="text-[26px] font-semibold leading-[38px]">
              <HowMuch content={content} />
            </span>
            <span className="text-row text-muted-foreground">{t`Valid until ${until}`}</span>
          </p>
          <div className="mb-3 mt-2.5">
            <ItemStubs
              number={content.kind === 'item' ? content.items : Number.POSITIVE_INFINITY}
              name={(which) => t`Time ${which}`}
            />
          </div>
          {content.voucher_id && <p className="text-caption text-quiet">{givingOn}</p>}
        </>
      }
    >
      <Picture
        src={pictureURL(content.picture, 960)}
        mark={<Mark size={72} />}
        eager
        className="h-[196px] w-full sm:h-[260px]"
      />
      <div className="px-5 pb-3 pt-3">
        <p className="flex items-center gap-2 text-sm text-muted-foreground">
          <BrandMark size={22} />
          {brand}
        </p>
        <h2 className="mt-1 text-lead font-semibold">{text(content, 'name')}</h2>
      </div>
    </TornTicket>
  );
}

/** Once; afterwards it says so. */
function Thanks({ gift, thank }: { gift: Wrapped; thank: ReturnType<typeof useClaim>['thank'] }) {
  const { t } = useLingui();
  const { from, id } = gift;
  if (!id) return null;
  if (gift.thanked_at) {
    return (
      <p role="status" className="flex min-h-11 items-center justify-center gap-2 text-row font-medium text-ok-text">
        <Check aria-hidden className="size-5" />
        {t`You have thanked ${from}`}
      </p>
    );
  }
  return (
    <>
      <FaultNote error={thank.error} />
      <Button wide disabled={thank.isPending} aria-busy={thank.isPending} onClick={() => thank.mutate(id)}>
        <Heart aria-hidden className="shrink-0" />
        <span className="min-w-0 truncate">{t`Thank ${from}`}</span>
      </Button>
    </>
  );
}
