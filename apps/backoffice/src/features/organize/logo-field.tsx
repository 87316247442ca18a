import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Trash2 } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { Crop } from '../../form/crop-dialog.tsx';
import { LogoRow } from '../../form/logo-row.tsx';
import { PictureChoice } from '../../form/picture-choice.tsx';

/** Where the form keeps it: a data URL, empty where there is none. */
interface Logo {
  logo: string;
}

/** The logo of an organisation: it stays in the form, as a data URL, until all of it is sent. */
export function LogoField() {
  const { t } = useLingui();
  const { setValue } = useFormContext<Logo>();
  const logo = useWatch<Logo, 'logo'>({ name: 'logo' });
  return (
    <LogoRow
      logo={
        <PictureChoice
          name="logo"
          label={t`Logo`}
          aspect={1}
          className="w-32 shrink-0"
          keep={cut}
          address={(url) => url}
        />
      }
    >
      {logo && (
        <Button
          size="row"
          variant="outline"
          className="mt-2.5"
          onClick={() => setValue('logo', '', { shouldDirty: true, shouldValidate: true })}
        >
          <Trash2 aria-hidden />
          {t`Remove the logo`}
        </Button>
      )}
    </LogoRow>
  );
}

/** A side of a kept logo at most, in pixels. */
const mostPixels = 512;

/** The square to keep, small enough for a draft. Where a browser makes no WebP, it makes a PNG. */
async function cut(file: File, { x, y, width, height }: Crop) {
  const picture = await createImageBitmap(file);
  const side = Math.round(Math.min(width, mostPixels));
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x, y, width, height, 0, 0, side, side);
  picture.close();
  return canvas.toDataURL('image/webp', 0.9);
}
