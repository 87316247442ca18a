import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { MapPin, Navigation } from 'lucide-react';
import type { VoucherDetail } from './voucher.ts';

type Place = VoucherDetail['where'][number];

/** Where it can be used; each place opens in the phone's own map. */
export function Places({ places }: { places: Place[] }) {
  const { t } = useLingui();
  const text = useTexts();
  if (!places.length) return null;
  return (
    <Card className="px-4 py-1">
      <h2 className="pt-3 text-row font-medium">
        {places.length === 1 ? t`Where to use it` : t`Use it at ${places.length} places`}
      </h2>
      <ul className="divide-y">
        {places.map((place) => (
          <li key={place.id} className="flex items-center gap-3 py-3">
            <MapPin aria-hidden className="size-5 shrink-0 text-brand-text" />
            <div className="min-w-0 flex-1">
              <p className="text-row font-medium">{text(place, 'name')}</p>
              <p className="text-caption text-quiet">
                {[text(place, 'address'), text(place, 'hours')].filter(Boolean).join(' · ')}
              </p>
            </div>
            {place.latitude !== null && place.longitude !== null && (
              <Button asChild variant="soft" size="xs">
                <a
                  href={`https://www.google.com/maps/search/?api=1&query=${place.latitude},${place.longitude}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  <Navigation aria-hidden />
                  {t`Directions`}
                </a>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
