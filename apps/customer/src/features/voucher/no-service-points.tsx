import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Note } from '@wlv/ui/note';
import { MapPinOff } from 'lucide-react';

/** Every place of a voucher has closed since it was sold: it stays his, and the shop knows what becomes of it. */
export function NoServicePoints() {
  const { t } = useLingui();
  return (
    <Note tone="warn" icon={<MapPinOff aria-hidden />} title={t`No place takes this voucher now`}>
      <p>{t`All the places where it could be used are closed. It is still yours; ask the shop before it expires.`}</p>
      <Button asChild variant="outline" size="md" className="mt-3">
        <a href="/contact">{t`Ask the shop`}</a>
      </Button>
    </Note>
  );
}
