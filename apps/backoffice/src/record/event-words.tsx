import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { baht } from '@wlv/ui/format';
import { Fragment, type ReactNode } from 'react';
import type { Table } from '../resource/resource.ts';
import { RecordLink } from './record-link.tsx';
import type { StoryEvent } from './story.ts';

interface Props {
  event: StoryEvent;
  /** The record whose page it is: it is not named on it. */
  here: string;
}

/** What happened, in one sentence; the records that it names lead to them. */
export function EventTitle({ event, here }: Props): ReactNode {
  const { t } = useLingui();
  const text = useTexts();
  const { amount_satang, record_id, record_name, record_table, person, reason } = event;
  const sum = baht(amount_satang);
  const name = text(event, 'name');
  const place = text(event, 'service_point_name');
  const own = record_id === here;
  const link = (
    <RecordLink table={record_table as Table} id={record_id}>
      {record_name}
    </RecordLink>
  );
  const what = own ? null : <>{name} </>;
  switch (event.kind) {
    case 'ordered':
      return t`Ordered for ${sum}`;
    case 'paid':
      return own ? (
        t`${sum} was paid`
      ) : (
        <Trans>
          Bought {link} for {sum}
        </Trans>
      );
    case 'unpaid':
    case 'uncaptured':
      return t`The time to pay was over, nothing was paid`;
    case 'issued':
      return (
        <Trans>
          Sold to {person} in the order {link}
        </Trans>
      );
    case 'used':
      return (
        <Trans>
          Used {what}
          <Items of={event} /> at {place}
        </Trans>
      );
    case 'scanned':
      return own ? (
        t`Scanned at ${place}, not used`
      ) : (
        <Trans>
          Scanned {name} at {place}, not used
        </Trans>
      );
    case 'expired':
      return (
        <Trans>
          Expired with {what}
          <Items of={event} /> left
        </Trans>
      );
    case 'frozen':
      return own ? t`Put on hold` : <Trans>Put {name} on hold</Trans>;
    case 'released':
      if (reason === 'still_frozen')
        return own ? t`One reason of its hold is over` : <Trans>One reason of the hold of {name} is over</Trans>;
      return own ? t`On hold no more` : <Trans>{name} is on hold no more</Trans>;
    case 'given':
      return own ? t`Given away by ${person}` : <Trans>Gave {link} away</Trans>;
    case 'claimed':
      return own ? t`Received by ${person}` : <Trans>Received {link} as a gift</Trans>;
    case 'begun':
      return t`The link opened`;
    case 'came_back':
      return <CameBack reason={reason} link={own ? null : link} />;
    case 'offered':
      if (record_table === 'boardtransaction') return t`Offered by ${person} for ${sum}`;
      return own ? t`Offered for resale by ${person}` : <Trans>Offered {link} for resale</Trans>;
    case 'off_sale':
      return <OffSale reason={reason} link={own ? null : link} />;
    case 'resold':
      if (record_table === 'boardtransaction') return t`Bought by ${person} for ${sum}`;
      return own ? t`Bought from its holder by ${person}` : <Trans>Bought {link} from another customer</Trans>;
    case 'sold':
      return (
        <Trans>
          Sold {link} to {person} on the board
        </Trans>
      );
    case 'opened':
      return t`Somebody opened the link`;
    case 'extended':
      if (record_table !== 'voucher') return t`The giver kept the link open for longer`;
      return own ? (
        <Plural value={event.items} one="Extended by # day" other="Extended by # days" />
      ) : (
        <Trans>
          {name} was extended by <Plural value={event.items} one="# day" other="# days" />
        </Trans>
      );
    case 'thanked':
      return t`${person} said thank you`;
    case 'split':
      return own ? (
        <Trans>
          <Items of={event} /> became a voucher of their own, to be given or sold on
        </Trans>
      ) : (
        <Trans>
          <Items of={event} /> of {link} became a voucher of their own, to be given or sold on
        </Trans>
      );
    case 'split_off':
      return (
        <Trans>
          Made of <Items of={event} /> of {link}
        </Trans>
      );
    case 'objected':
      return t`${person} says: it was not me`;
    case 'stands':
      return t`The shop lets the use stand`;
    case 'undone':
      return (
        <Trans>
          Use undone: <Items of={event} /> became a new voucher
        </Trans>
      );
    case 'reissued':
      return own ? t`Got a new code` : <Trans>{name} got a new code</Trans>;
    case 'issued_anew':
      return (
        <Trans>
          Issued for a use that was undone: <Items of={event} /> of {link}
        </Trans>
      );
    case 'refunded':
    case 'void':
      if (event.kind === 'void' && reason)
        return own ? t`Cancelled by the shop` : <Trans>{name} was cancelled by the shop</Trans>;
      if (reason) {
        return (
          <Trans>
            Refunded: {what}
            <Items of={event} />
          </Trans>
        );
      }
      return (
        <Trans>
          Taken back: {what}
          <Items of={event} />
        </Trans>
      );
    case 'started':
      return t`${person} began to pay ${sum}`;
    case 'captured':
      return own || !record_id ? (
        t`${sum} came in`
      ) : reason === 'topup' ? (
        <Trans>
          Topped up {sum} {link}
        </Trans>
      ) : (
        <Trans>
          {sum} came into the wallet {link}
        </Trans>
      );
    case 'fee':
      return t`The payment company took a fee of ${sum}`;
    case 'sent_back':
      return own ? (
        t`${sum} was sent back`
      ) : (
        <Trans>
          {sum} of {link} was sent back
        </Trans>
      );
    case 'disputed':
      return own ? (
        t`The payer's bank holds ${sum} back`
      ) : (
        <Trans>
          The payer's bank holds {sum} of {link} back
        </Trans>
      );
    case 'dispute_won':
      return own ? (
        t`Decided for the shop: ${sum} is back`
      ) : (
        <Trans>
          Decided for the shop: {sum} of {link} is back
        </Trans>
      );
    case 'taken_back':
      return t`${sum} was covered by items that were taken back`;
    case 'debt_paid':
      return t`${sum} of what was owed was paid from the wallet`;
    case 'borne':
      return t`The shop bore ${sum}`;
    case 'written_off':
      return t`Two people wrote ${sum} off`;
    case 'commission':
      return own ? (
        t`Commission of ${sum} for ${person}`
      ) : (
        <Trans>
          Sold {link}: commission of {sum}
        </Trans>
      );
    case 'commission_recruiter':
      return own ? (
        t`Commission of ${sum} for ${person}, who recruited the agent`
      ) : (
        <Trans>
          A recruit sold {link}: commission of {sum}
        </Trans>
      );
    case 'commission_reversed':
      return own ? (
        t`${sum} of the commission was taken back`
      ) : (
        <Trans>
          {sum} of the commission of {link} was taken back
        </Trans>
      );
    case 'commission_restored':
      return own ? (
        t`${sum} of the commission came back`
      ) : (
        <Trans>
          {sum} of the commission of {link} came back
        </Trans>
      );
    case 'commission_matured':
      return own ? (
        t`${sum} of the commission can be paid out`
      ) : (
        <Trans>
          {sum} of the commission of {link} can be paid out
        </Trans>
      );
    case 'commission_unmatured':
      return own ? (
        t`${sum} of the commission has to wait again`
      ) : (
        <Trans>
          {sum} of the commission of {link} has to wait again
        </Trans>
      );
    case 'commission_held':
      return own ? t`The commission is held for a look` : <Trans>The commission of {link} is held for a look</Trans>;
    case 'commission_freed':
      if (person === '') {
        return own ? (
          t`The commission was held long enough and is free by itself`
        ) : (
          <Trans>The commission of {link} was held long enough and is free by itself</Trans>
        );
      }
      return own ? (
        t`${person} released the commission`
      ) : (
        <Trans>
          {person} released the commission of {link}
        </Trans>
      );
    case 'commission_denied':
      return own ? (
        t`${sum} of the commission was denied`
      ) : (
        <Trans>
          {sum} of the commission of {link} was denied
        </Trans>
      );
    case 'came':
      return t`Signed in for the first time`;
    case 'accepted':
      return t`Accepted ${name}, version ${person}`;
    case 'approved':
      return t`Became an agent`;
    case 'linked':
      return (
        <Trans>
          Made a sale link to{' '}
          <RecordLink table="salepackage" id={record_id}>
            {name}
          </RecordLink>
        </Trans>
      );
    case 'wrote':
      return <Trans>Wrote: {link}</Trans>;
  }
}

/** Why something was refunded; of what the shop gave no reason for, nothing. */
export function useRefundReasons(): Record<string, string> {
  const { t } = useLingui();
  return {
    asked: t`the customer asked for it`,
    not_provided: t`the shop cannot provide it`,
    mistake: t`bought or sold by mistake`,
    payer: t`the customer changed his mind`,
    requested: t`the customer asked for it`,
  };
}

/** By whom, how, and what followed from it. */
export function EventLine({ event, here }: Props): ReactNode {
  const { t } = useLingui();
  const { kind, person, reason, record_id, record_table, record_name, amount_satang, items } = event;
  const sum = baht(amount_satang);
  const ways: Record<string, string> = { wallet: t`From the wallet`, promptpay: t`By PromptPay QR`, card: t`By card` };
  const ends: Record<string, string> = {
    open: t`the customer has the code open`,
    cancelled: t`the customer put it away`,
    expired: t`the ten minutes ran out`,
  };
  const whys = useRefundReasons();
  const parts: ReactNode[] = [];
  if (record_table === 'voucher' && record_id !== here)
    parts.push(
      <RecordLink table="voucher" id={record_id}>
        {record_name}
      </RecordLink>,
    );
  if (kind === 'ordered' && person) parts.push(t`Through the sale link of ${person}`);
  if (kind === 'paid') {
    parts.push(ways[reason]);
    if (items > 0) parts.push(<Plural value={items} one="# voucher issued" other="# vouchers issued" />);
    if (record_id !== here && person) parts.push(t`through the agent ${person}`);
  }
  if (kind === 'issued') parts.push(<Items of={event} />);
  if (kind === 'used') {
    parts.push(t`confirmed by ${person}`);
    if (amount_satang > 0) parts.push(t`${sum} of it is the shop's now`);
  }
  if (kind === 'objected' && amount_satang > 0) parts.push(t`${sum} of it is held`);
  if (kind === 'stands') parts.push(t`decided by ${person}`);
  if (kind === 'scanned') parts.push(t`scanned by ${person}`, ends[reason]);
  if (kind === 'expired')
    parts.push(reason === 'wallet' ? t`The rest went to the holder's wallet` : t`The rest is the shop's`);
  if (kind === 'frozen')
    parts.push(reason === 'shop' ? t`by ${person}, for the shop` : t`The money paid for it was asked back`);
  if (kind === 'released' && person) parts.push(t`by ${person}, for the shop`);
  if (kind === 'released' && reason === 'still_frozen') parts.push(t`It is on hold for another one still`);
  if (kind === 'reissued') parts.push(t`by ${person}`);
  if (kind === 'extended' && record_table === 'voucher') {
    if (reason === 'expired') parts.push(t`It was over, and can be used again`);
    parts.push(t`by ${person}, for the shop`);
  }
  if (kind === 'void' && reason) {
    if (amount_satang > 0) parts.push(t`${sum} into the holder's wallet`);
    parts.push(t`by ${person}`);
  }
  if (kind === 'refunded' && !reason) parts.push(t`The payment company sent the money back`);
  if (kind === 'refunded' && reason) {
    if (amount_satang > 0) parts.push(t`${sum} paid back`);
    parts.push(whys[reason], t`by ${person}`);
  }
  if (kind === 'started') parts.push(ways[reason]);
  if (kind === 'captured' && reason === 'duplicate') parts.push(t`Paid twice: the second payment went to the wallet`);
  if (kind === 'captured' && reason === 'order' && record_id)
    parts.push(t`The order was not made: the money went to the wallet`);
  if (kind === 'captured' && reason === 'offer' && record_id)
    parts.push(t`The offer was not bought: the money went to the wallet`);
  if (record_table === 'boardtransaction') {
    if (kind === 'off_sale') parts.push(t`Nothing was paid`);
    if (kind === 'off_sale' && person) parts.push(t`stopped by ${person}`);
  } else if (kind === 'offered' || kind === 'resold' || kind === 'sold') parts.push(t`Price of the offer: ${sum}`);
  if (kind === 'approved' && person) parts.push(t`approved by ${person}`);
  const said = parts.filter(Boolean);
  return said.map((part, i) => (
    <Fragment key={i}>
      {i > 0 && ' · '}
      {part}
    </Fragment>
  ));
}

/** How many items of a voucher, or how much of a gift card's money. */
function Items({ of: { items, unit } }: { of: StoryEvent }) {
  if (unit === 'baht') return baht(items);
  return <Plural value={items} one="# time" other="# times" />;
}

/** What nobody bought is its seller's again. */
function OffSale({ reason, link }: { reason: StoryEvent['reason']; link: ReactNode }) {
  const { t } = useLingui();
  const how = {
    cancelled: t`The offer was cancelled`,
    ended: t`Nobody bought it in time`,
    stopped_by_shop: t`The shop stopped the offer`,
    stopped_by_platform: t`The offer was stopped: We Love Voucher suspended its seller`,
    stopped: t`The offer was stopped, because money for one of its vouchers was asked back`,
  };
  return (
    <>
      {how[reason as keyof typeof how] ?? how.ended} {link}
    </>
  );
}

/** A gift that nobody received is its giver's again. */
function CameBack({ reason, link }: { reason: StoryEvent['reason']; link: ReactNode }) {
  const { t } = useLingui();
  const how = {
    withdrawn: t`The gift was taken back`,
    declined: t`The gift was declined`,
    returned: t`Nobody received the gift in time`,
    stopped_by_shop: t`The shop stopped the gift`,
    stopped_by_platform: t`The gift was stopped: We Love Voucher suspended its giver`,
    stopped: t`The gift was stopped, because money for one of its vouchers was asked back`,
  };
  return (
    <>
      {how[reason as keyof typeof how] ?? how.returned} {link}
    </>
  );
}
