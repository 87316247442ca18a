import { useLingui } from '@lingui/react/macro';
import { device } from '@wlv/client/device';
import { IconButton } from '@wlv/ui/icon-button';
import { toast } from '@wlv/ui/toast';
import { Share2 } from 'lucide-react';
import { useArea } from '../../area.tsx';

/** Sends the product to friends: LINE's own picker inside LINE, the phone's elsewhere. */
export function ShareButton({ name }: { name: string }) {
  const { t } = useLingui();
  const { liffId } = useArea();

  const share = async () => {
    const phone = await device(liffId);
    const result = await phone.share(name, location.href);
    if (result === 'copied') toast({ tone: 'ok', title: t`Link copied` });
  };

  return (
    <IconButton
      label={t`Share`}
      variant="picture"
      onClick={() => share().catch(() => toast({ tone: 'bad', title: t`Sharing did not work` }))}
    >
      <Share2 aria-hidden className="size-5!" />
    </IconButton>
  );
}
