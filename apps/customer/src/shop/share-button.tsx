import { useLingui } from '@lingui/react/macro';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { device } from '@wlv/client/device';
import { IconButton, type IconButtonProps } from '@wlv/ui/icon-button';
import { toast } from '@wlv/ui/toast';
import { Share2 } from 'lucide-react';
import { useArea } from '../area.tsx';

/** Sends an address, that of the page where none is given, with a few words to friends: LINE's own picker inside LINE, the phone's elsewhere. */
export function ShareButton({ text, url, variant }: { text: string; url?: string } & Pick<IconButtonProps, 'variant'>) {
  const { t, i18n } = useLingui();
  const { liffId } = useArea();

  const share = async () => {
    try {
      const phone = await device(liffId);
      const result = await phone.share(text, url ?? location.href);
      if (result === 'copied') toast({ tone: 'ok', title: t`Link copied` });
    } catch (error) {
      const line = error instanceof ApiError && errorSentence(i18n, error);
      toast({ tone: 'bad', title: t`Sharing did not work`, line });
    }
  };

  return (
    <IconButton label={t`Share`} variant={variant} onClick={() => void share()}>
      <Share2 aria-hidden className="size-5!" />
    </IconButton>
  );
}
