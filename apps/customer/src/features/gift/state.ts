import { useLingui } from '@lingui/react/macro';
import type { ChipTone } from '@wlv/ui/chip';
import { dateTime, lastDay } from '@wlv/ui/format';
import type { Gift } from './gift.ts';

/** How a gift stands: in one word with its colour, and in a sentence for whoever opens it. */
export function useGiftState(gift: Gift): { word: string; tone: ChipTone; title: string; line: string } {
  const { t } = useLingui();
  const { person, people, state } = gift;
  const taken = gift.takers.length;
  const day = lastDay(gift.expires_at);
  if (!gift.given) {
    return {
      word: t`Received`,
      tone: 'ok',
      title: person ? t`${person} gave you this` : t`You received this`,
      line: gift.thanked_at ? t`You have said thank you` : '',
    };
  }
  if (people > 1 && state !== 'scheduled') {
    const back =
      taken === people
        ? t`All envelopes are taken`
        : taken > 0
          ? t`What was left came back to you`
          : t`All of them came back to you`;
    const word = t`${taken} of ${people} taken`;
    switch (state) {
      case 'open':
        return { word, tone: 'info', title: t`What is left comes back after ${day}`, line: '' };
      case 'stopped':
        return {
          word: t`Stopped`,
          tone: 'warn',
          title: gift.stopped_by_shop ? t`The shop stopped the ang-pao` : t`The ang-pao was stopped`,
          line: back,
        };
      default:
        return { word, tone: taken === people ? 'ok' : 'mute', title: back, line: '' };
    }
  }
  switch (state) {
    case 'scheduled':
      return {
        word: t`Waiting`,
        tone: 'info',
        title: t`Its link opens ${dateTime(gift.begins_at)}`,
        line: t`You get a message then, with the link to send`,
      };
    case 'open':
      return {
        ...(gift.opened_at
          ? { word: t`Opened`, title: t`Opened, not received yet` }
          : { word: t`Not opened yet`, title: t`Nobody has opened it yet` }),
        tone: 'info',
        line: t`If nobody receives it, it comes back after ${day}`,
      };
    case 'claimed':
      return {
        word: t`Received`,
        tone: 'ok',
        title: person ? t`${person} has received it` : t`It has been received`,
        line: '',
      };
    case 'withdrawn':
      return {
        word: t`Taken back`,
        tone: 'mute',
        title: t`You took it back`,
        line: t`The voucher came back to you; the link is closed`,
      };
    case 'declined':
      return {
        word: t`Declined`,
        tone: 'mute',
        title: t`It was declined`,
        line: t`The voucher came back to you; the link is closed`,
      };
    case 'returned':
      return {
        word: t`Came back`,
        tone: 'mute',
        title: t`Nobody received it in time`,
        line: t`The voucher came back to you by itself`,
      };
    case 'stopped':
      return {
        word: t`Stopped`,
        tone: 'warn',
        title: gift.stopped_by_shop ? t`The shop stopped the gift` : t`The gift was stopped`,
        line:
          gift.stopped_by_shop || gift.stopped_by_platform
            ? t`The voucher came back to you; the link is closed`
            : t`Something happened to the voucher; its page says what`,
      };
  }
}
