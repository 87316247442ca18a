import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { dateTime } from '@wlv/ui/format';
import { QRCode } from '@wlv/ui/qr-code';
import { toast } from '@wlv/ui/toast';
import { Copy } from 'lucide-react';

/** A link for one person, as a QR for who stands there and as text for who does not. It is shown this once. */
export function InvitationLink({
  invitation: { url, expires_at },
}: {
  invitation: { url: string; expires_at: string };
}) {
  const { t } = useLingui();
  const until = dateTime(expires_at);
  return (
    <div className="grid justify-items-center gap-4 pt-2">
      <div className="rounded-card bg-white p-5">
        <QRCode text={url} size={220} label={t`QR of the invitation`} />
      </div>
      <p className="break-all text-center text-caption text-quiet">{url}</p>
      <Button
        variant="outline"
        wide
        onClick={() => void navigator.clipboard.writeText(url).then(() => toast({ tone: 'ok', title: t`Copied` }))}
      >
        <Copy aria-hidden />
        {t`Copy the link`}
      </Button>
      <p className="text-center text-sm text-muted-foreground">
        {t`For one person, once, until ${until}. It is not shown again; whoever holds it can join.`}
      </p>
    </div>
  );
}
