import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { phone, tel } from '@wlv/ui/phone';
import { Navigation, Phone } from 'lucide-react';
import { mapAddress, type Place } from './service-points.tsx';

/** Where a voucher can be used, before it is bought: address, hours, the phone to book by, and the way there. */
export function ServicePointsSheet({
  places,
  open,
  onOpen,
}: {
  places: Place[];
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  const { t } = useLingui();
  const title = places.length === 1 ? t`Where to use it` : t`Use it at ${places.length} places`;
  return (
    <Dialog open={open} onOpenChange={onOpen}>
      <DialogContent shape="sheet" title={title}>
        <ul className="divide-y">
          {places.map((place) => (
            <OnePlace key={place.id} place={place} />
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}

function OnePlace({ place }: { place: Place }) {
  const { t } = useLingui();
  const text = useTexts();
  const map = mapAddress(place);
  return (
    <li className="py-4">
      <p className="font-semibold">{text(place, 'name')}</p>
      <p className="text-sm text-muted-foreground">{text(place, 'address')}</p>
      <p className="text-sm text-muted-foreground">{text(place, 'hours')}</p>
      {(place.phone || map) && (
        <div className="mt-3 flex flex-wrap gap-2.5">
          {place.phone && (
            <Button asChild variant="soft" size="md">
              <a href={tel(place.phone)} aria-label={`${t`Call to book`} ${phone(place.phone)}`}>
                <Phone aria-hidden />
                {phone(place.phone)}
              </a>
            </Button>
          )}
          {map && (
            <Button asChild variant="outline" size="md">
              <a href={map} target="_blank" rel="noreferrer">
                <Navigation aria-hidden />
                {t`Directions`}
              </a>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
