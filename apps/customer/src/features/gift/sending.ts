import { useLingui } from '@lingui/react/macro';
import { device } from '@wlv/client/device';
import { useBrand, usePage } from '@wlv/client/page';
import { toast } from '@wlv/ui/toast';
import { useArea } from '../../area.tsx';
import { type Gift, lastDay } from './gift.ts';

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

/** The ways in which the link leaves the phone; each says how it went. */
export function useSending(gift: Gift) {
  const { t } = useLingui();
  const { liffId } = useArea();
  const brand = useBrand();
  const link = useGiftLink(gift);
  const day = lastDay(gift.expires_at);
  const invitation = t`A gift for you at ${brand}. Unwrap it by ${day}.`;

  const said = async (what: Promise<string>) => {
    try {
      const how = await what;
      if (how === 'copied') toast({ tone: 'ok', title: t`Link copied` });
      if (how === 'shared') toast({ tone: 'ok', title: t`Link sent` });
    } catch {
      toast({ tone: 'bad', title: t`The link was not sent`, line: t`Copy it and paste it into a chat.` });
    }
  };
  return {
    sendInLine: () => said(device(liffId).then((phone) => phone.sendInLine(invitation, link))),
    share: () => said(device(liffId).then((phone) => phone.share(invitation, link))),
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
