import 'react-easy-crop/react-easy-crop.css';
import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Note } from '@wlv/ui/note';
import { CircleAlert, ZoomIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import Cropper from 'react-easy-crop';

/** The part of a picture to keep, in its own pixels. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Chooses the part of a picture that is shown. */
export default function CropDialog({
  file,
  aspect,
  sending,
  problem,
  onCrop,
  onClose,
}: {
  file: File;
  aspect: number;
  sending: boolean;
  problem: string | undefined;
  onCrop: (crop: Crop) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [address, setAddress] = useState('');
  const [at, setAt] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [crop, setCrop] = useState<Crop>();

  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  return (
    <Dialog open onOpenChange={(open) => !open && !sending && onClose()}>
      <DialogContent
        shape="sheet"
        title={t`Which part is shown?`}
        description={t`Drag the picture; everything outside of the frame is left out.`}
        foot={
          <div className="flex justify-end gap-2.5">
            <Button size="office" variant="outline" disabled={sending} onClick={onClose}>{t`Cancel`}</Button>
            <Button size="office" disabled={!crop || sending} onClick={() => crop && onCrop(crop)}>
              {sending ? t`Uploading…` : t`Use this part`}
            </Button>
          </div>
        }
      >
        <div className="relative h-72 overflow-hidden rounded-touch bg-black">
          <Cropper
            image={address}
            aspect={aspect}
            crop={at}
            zoom={zoom}
            disableAutomaticStylesInjection
            onCropChange={setAt}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setCrop(pixels)}
          />
        </div>
        <label className="mt-4 flex items-center gap-3">
          <ZoomIn aria-hidden className="size-5 text-quiet" />
          <span className="sr-only">{t`Zoom`}</span>
          <input
            type="range"
            min={1}
            max={4}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(Number(event.target.value))}
            className="h-11 flex-1 accent-brand-mark"
          />
        </label>
        {problem && (
          <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="mt-2">
            {problem}
          </Note>
        )}
      </DialogContent>
    </Dialog>
  );
}
