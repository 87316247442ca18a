import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { ExternalLink, MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { mapPlace } from './map-place.ts';

/** Where a service point is on the map: a pasted link or coordinates. What cannot be read is NaN, which no form sends. */
export function MapField() {
  const { t } = useLingui();
  const { field: latitude } = useController({ name: 'latitude' });
  const { field: longitude } = useController({ name: 'longitude' });
  const known = typeof latitude.value === 'number' && !Number.isNaN(latitude.value);
  const written = known ? `${latitude.value}, ${longitude.value}` : '';
  const [text, setText] = useState(written);
  const found = text.trim() ? mapPlace(text) : undefined;
  const put = (next: string) => {
    setText(next);
    const read = next.trim() ? mapPlace(next) : undefined;
    const unread = read === null || read === 'short';
    latitude.onChange(unread ? Number.NaN : (read?.latitude ?? null));
    longitude.onChange(unread ? Number.NaN : (read?.longitude ?? null));
  };
  const error =
    found === 'short'
      ? t`We cannot open a short link. Open it yourself, and copy the long address or the numbers that the map shows (such as 18.7961, 98.9683).`
      : found === null &&
        t`There is no place in this. Paste a link of Google Maps or Apple Maps, or numbers such as 18.7961, 98.9683.`;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t`Link of the map`}
        help={t`In Google Maps, press the place and hold it: copy the numbers, or the address of the page. Empty: no map.`}
        error={error}
      >
        <Input
          size="office"
          name="map"
          autoComplete="off"
          ref={latitude.ref}
          value={text}
          placeholder="https://www.google.com/maps/… · 18.7961, 98.9683"
          onChange={(event) => put(event.target.value)}
          onBlur={latitude.onBlur}
        />
      </Field>
      {known && (
        <div className="flex flex-wrap items-center gap-2">
          <Button asChild variant="outline" size="row">
            <a
              href={`https://www.google.com/maps/search/?api=1&query=${latitude.value},${longitude.value}`}
              target="_blank"
              rel="noreferrer"
            >
              <ExternalLink aria-hidden />
              {t`See ${written} on the map`}
            </a>
          </Button>
          <Button variant="ghost" size="row" onClick={() => put('')}>
            <MapPinOff aria-hidden />
            {t`No map`}
          </Button>
        </div>
      )}
    </div>
  );
}
