import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { phone, tel } from '@wlv/ui/phone';
import { MapPin, Navigation } from 'lucide-react';

export type Place = Row<'/api/user/get/service_point'>;

/** The place in the phone's own map; nothing where the shop has not said where it is. */
export function mapAddress({ latitude, longitude }: Place) {
  if (latitude === null || longitude === null) return undefined;
  return `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`;
}

/** Where vouchers can be used; each place opens in the phone's own map and can be called. */
export function ServicePoints({ places, title }: { places: Place[]; title?: string }) {
  if (!places.length) return null;
  return (
    <Card className="px-4 py-1">
      {title && <h2 className="pt-3 text-row font-medium">{title}</h2>}
      <ul className="divide-y">
        {places.map((place) => (
          <OnePlace key={place.id} place={place} />
        ))}
      </ul>
    </Card>
  );
}

export function OnePlace({ place }: { place: Place }) {
  const { t } = useLingui();
  const text = useTexts();
  const map = mapAddress(place);
  return (
    <li className="flex items-center gap-3 py-3">
      <MapPin aria-hidden className="size-5 shrink-0 text-brand-text" />
      <div className="min-w-0 flex-1">
        <p className="text-row font-medium">{text(place, 'name')}</p>
        <p className="text-caption text-quiet">{text(place, 'address')}</p>
        <p className="text-caption text-quiet">{text(place, 'hours')}</p>
        {place.phone && (
          <a
            href={tel(place.phone)}
            className="inline-flex min-h-6 items-center text-caption font-medium text-brand-text"
          >
            {phone(place.phone)}
          </a>
        )}
      </div>
      {map && (
        <Button asChild variant="soft" size="xs">
          <a href={map} target="_blank" rel="noreferrer">
            <Navigation aria-hidden />
            {t`Map`}
          </a>
        </Button>
      )}
    </li>
  );
}
