import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { Button } from '@wlv/ui/button';
import { IconButton } from '@wlv/ui/icon-button';
import { Note } from '@wlv/ui/note';
import { Ticket as TicketIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../../area.tsx';
import { type Over, useFromTop } from './claim.ts';
import type { Wrapped } from './gift.ts';
import { GiftCard } from './gift-card.tsx';
import { EmptyBox } from './gift-parcel.tsx';

/** A page of a link that is not to be received: what is the matter with it, and where to go from here. */
function Plain({
  drawing = <EmptyBox />,
  title,
  line,
  note,
  children,
}: {
  drawing?: ReactNode;
  title: string;
  line: string;
  note?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  useTitle(title);
  useFromTop();
  return (
    <div className="safe-bottom-20 mx-auto flex min-h-dvh max-w-[520px] flex-col px-4">
      <IconButton asChild label={t`To the shop`} className="-ml-2 mt-2">
        <AreaLink page="market">
          <X aria-hidden />
        </AreaLink>
      </IconButton>
      <div role="status" className="grid justify-items-center px-4 pt-12 text-center">
        {drawing}
        <h1 className="mt-7 text-h1 font-semibold">{title}</h1>
        <p className="mt-2 max-w-[40ch] text-muted-foreground">{line}</p>
      </div>
      {note && <div className="pt-6">{note}</div>}
      <div className="mt-auto grid gap-1.5 pt-8 lg:mt-0">
        {children ?? (
          <Button asChild wide>
            <AreaLink page="market">{t`Look around the shop`}</AreaLink>
          </Button>
        )}
      </div>
    </div>
  );
}

/** It cannot be received any more, or not yet. It names nobody and nothing that was in it: anybody may have the link. */
export function GiftOver({ state, people }: { state: Over; people: number }) {
  const { t } = useLingui();
  const back = {
    title: t`The gift has gone back to who gave it`,
    line: t`This link leads to nothing any more. If it was meant for you, ask who sent it.`,
  };
  if (state === 'scheduled') {
    return (
      <Plain
        title={t`This gift is not open yet`}
        line={t`Who gave it has chosen a later day for it. Keep the link, and open it again then.`}
      />
    );
  }
  if (state === 'claimed') return <ReceivedByAnother group={people > 1} />;
  if (state === 'declined' || state === 'returned') return <Plain {...back} />;
  if (state === 'withdrawn') {
    return (
      <Plain
        title={t`Who gave it wants to keep this gift for now`}
        line={t`Nothing is wrong with your link. You can ask who sent it.`}
      />
    );
  }
  return (
    <Plain title={t`This gift cannot be received now`} line={t`Ask who sent you the link what has become of it.`} />
  );
}

function ReceivedByAnother({ group }: { group: boolean }) {
  const { t } = useLingui();
  const signedIn = useSignedIn('user');
  return (
    <Plain
      title={group ? t`All envelopes are taken` : t`This gift has been received already`}
      line={group ? t`Others were faster this time.` : t`One link is for one person.`}
      note={
        <Note icon={<TicketIcon aria-hidden />} title={t`If it was you who received it`}>
          {t`It is among your vouchers, in the account that you received it with.`}
        </Note>
      }
    >
      <Button asChild wide>
        <AreaLink page="activevoucher">{signedIn ? t`See my vouchers` : t`Sign in and see my vouchers`}</AreaLink>
      </Button>
      <Button asChild variant="ghost" wide>
        <AreaLink page="market">{t`Look around the shop`}</AreaLink>
      </Button>
    </Plain>
  );
}

export function UnknownGift() {
  const { t } = useLingui();
  return (
    <Plain
      title={t`We don't know this gift`}
      line={t`The link may have been cut off on its way. Ask who sent it for the link again.`}
    />
  );
}

export function DeclinedGift({ from }: { from: string | undefined }) {
  const { t } = useLingui();
  const giver = from ?? '';
  return (
    <Plain
      title={t`Thank you for answering`}
      line={t`The gift has gone back to ${giver}, who can use it or give it to somebody else.`}
    />
  );
}

/** Who gave it has opened the link. */
export function OwnGift({ gift }: { gift: Wrapped }) {
  const { t } = useLingui();
  const to = gift.to_name;
  return (
    <Plain
      drawing={<GiftCard card={gift.card} className="max-w-[260px] rounded-card" />}
      title={to ? t`This is your gift for ${to}` : t`This is the gift that you give`}
      line={t`It waits to be received. Send the link to who it is for.`}
    >
      <Button asChild wide>
        <AreaLink page={`gift/${gift.id}`}>{t`See my gift`}</AreaLink>
      </Button>
      <Button asChild variant="ghost" wide>
        <AreaLink page="market">{t`Look around the shop`}</AreaLink>
      </Button>
    </Plain>
  );
}
