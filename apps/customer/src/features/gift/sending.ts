import { useLingui } from '@lingui/react/macro';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { device } from '@wlv/client/device';
import { useBrand, usePage } from '@wlv/client/page';
import { lastDay } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { useArea } from '../../area.tsx';
import { useProfile } from '../../shell/profile.ts';
import type { Gift } from './gift.ts';
import { giftMessage } from './message.ts';

/**
 * The address that is shared. Inside LINE only a LIFF link opens with the person's login: it leads to the shop's app for gifts, whose page
 * this is, else to its app for customers, below whose page it stands.
 */
export function useGiftLink({ ref }: Gift) {
  const { org, line } = usePage();
  const query = `?ref=${encodeURIComponent(ref)}`;
  const { lifftransfer, liffuser } = org?.liff ?? {};
  if (line.liff_base && lifftransfer) return `${line.liff_base}/${lifftransfer}${query}`;
  if (line.liff_base && liffuser) return `${line.liff_base}/${liffuser}/transferdata${query}`;
  return `${location.origin}/transfer${query}`;
}

/** The gift as a message of LINE, in the language of its giver. */
function useMessage(gift: Gift) {
  const { t } = useLingui();
  const brand = useBrand();
  const { org } = usePage();
  const link = useGiftLink(gift);
  const from = useProfile().data?.displayName;
  const until = lastDay(gift.expires_at);
  const { people } = gift;
  const group = people > 1;
  const one = from ? t`${from} has sent you a gift` : t`A gift for you`;
  const many = from ? t`${from} hands out ang-pao: ${people} envelopes` : t`Ang-pao: ${people} envelopes`;
  if (!org) return undefined;
  return giftMessage({
    title: group ? many : one,
    // Behind a lock they are seen with the digits only.
    words: gift.digits ? '' : gift.words,
    brand,
    logo: org.logo_url && location.origin + org.logo_url,
    picture: `${location.origin}${org.gifts}/${gift.card}.jpg`,
    button: group ? t`Open an envelope` : t`Unwrap the gift`,
    until: group
      ? t`First come, first served, one each, until the end of ${until}`
      : t`It can be received until the end of ${until}`,
    link,
    colours: { brand: org.primary, onBrand: org.on_primary },
  });
}

/** The ways in which the link leaves the phone; each says how it went. */
export function useSending(gift: Gift) {
  const { t, i18n } = useLingui();
  const { liffId } = useArea();
  const brand = useBrand();
  const message = useMessage(gift);
  const link = useGiftLink(gift);
  const day = lastDay(gift.expires_at);
  const invitation =
    gift.people > 1
      ? t`Ang-pao from ${brand}: one each, first come, first served, until ${day}.`
      : t`A gift for you at ${brand}. Unwrap it by ${day}.`;

  const said = async (what: Promise<string>) => {
    try {
      const how = await what;
      if (how === 'copied') toast({ tone: 'ok', title: t`Link copied` });
      if (how === 'shared') toast({ tone: 'ok', title: t`Link sent` });
      if (how === 'cancelled') toast({ tone: 'info', title: t`Nothing was sent` });
    } catch (error) {
      const line = error instanceof ApiError ? errorSentence(i18n, error) : t`Copy it and paste it into a chat.`;
      toast({ tone: 'bad', title: t`The link was not sent`, line });
    }
  };
  return {
    sendInLine: () => said(device(liffId).then((phone) => phone.sendInLine(invitation, link, message))),
    share: () => said(device(liffId).then((phone) => phone.shareSheet(invitation, link))),
    copy: async () => {
      try {
        await navigator.clipboard.writeText(link);
        toast({ tone: 'ok', title: t`Link copied` });
      } catch {
        toast({ tone: 'bad', title: t`The link could not be copied`, line: t`Show the QR instead.` });
      }
    },
  };
}
