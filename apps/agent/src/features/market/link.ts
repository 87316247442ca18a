import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { device } from '@wlv/client/device';
import { useBrand, useTexts } from '@wlv/client/page';
import { toast } from '@wlv/ui/toast';
import { useArea } from '../../area.tsx';
import type { Package } from './listing.ts';

/** The agent's own link to a package. The server makes it the first time and answers the same one ever after. */
export function useSaleLink(packageId: string) {
  return useQuery({
    ...query('/api/agent/link/create', { package_id: packageId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The ways a link leaves the phone; each says how it went. */
export function useSending(product: Package) {
  const { t, i18n } = useLingui();
  const { liffId } = useArea();
  const text = useTexts();
  const brand = useBrand();
  const name = text(product, 'name');
  const invitation = t`${name} at ${brand}`;

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
    copy: async (url: string) => {
      try {
        await navigator.clipboard.writeText(url);
        toast({ tone: 'ok', title: t`Link copied` });
      } catch {
        toast({ tone: 'bad', title: t`The link could not be copied`, line: t`Let the customer scan the QR.` });
      }
    },
    sendInLine: (url: string) => said(device(liffId).then((phone) => phone.sendInLine(invitation, url))),
    share: (url: string) => said(device(liffId).then((phone) => phone.share(invitation, url))),
  };
}
