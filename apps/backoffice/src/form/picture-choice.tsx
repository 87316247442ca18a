import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { loadFaults } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { FormError } from '@wlv/ui/field';
import { Picture } from '@wlv/ui/picture';
import { clsx } from 'clsx';
import { Image, ImageUp } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Crop } from './crop-dialog.tsx';
import { useFormField } from './fields.tsx';

const CropDialog = lazy(() => import('./crop-dialog.tsx'));

/** What the server takes (trust: it decodes, turns upright, strips and re-encodes by itself). */
const accepted = ['image/jpeg', 'image/png', 'image/webp'];
const maxBytes = 8 << 20;

/** Refuses at once what the server would refuse after the upload. */
async function check(file: File) {
  const fault = file.size > maxBytes ? 'picture.too_large' : (await decodes(file)) ? undefined : 'picture.unsupported';
  if (!fault) return file;
  await loadFaults();
  throw new ApiError(fault, { code: 0, fault });
}

async function decodes(file: File) {
  if (!accepted.includes(file.type)) return false;
  const picture = await createImageBitmap(file).catch(() => undefined);
  picture?.close();
  return picture !== undefined;
}

export interface PictureProps {
  name: string;
  label: string;
  help?: string;
  /** Width by height. */
  aspect: number;
  className?: string;
}

/** A picture: chosen, cut to its shape, kept; the form then holds what keeping it answers with. */
export function PictureChoice({
  name,
  label,
  help,
  aspect,
  className,
  keep,
  address,
}: PictureProps & {
  keep: (file: File, crop: Crop) => Promise<string>;
  /** Where what the form holds is seen. */
  address: (value: string) => string | null;
}) {
  const { t, i18n } = useLingui();
  const { value, onChange, error, ref } = useFormField<string | null>(name, label);
  const file = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const choose = useMutation({ mutationFn: check, onSuccess: setChosen });
  const send = useMutation({
    mutationFn: (crop: Crop) => keep(chosen as File, crop),
    onSuccess: (kept) => {
      onChange(kept);
      setChosen(undefined);
    },
  });

  const problem = choose.isError ? errorSentence(i18n, choose.error) : error;
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <div
        className={clsx('relative overflow-hidden rounded-touch', value && 'border')}
        style={{ aspectRatio: aspect }}
      >
        <Picture
          src={value ? address(value) : null}
          alt={label}
          mark={<Image aria-hidden className="size-8" />}
          className={clsx('size-full', problem && 'shadow-[inset_0_0_0_1.5px_var(--bad)]')}
        />
        <Button
          ref={ref}
          variant="outline"
          size="row"
          aria-invalid={problem ? true : undefined}
          className="absolute bottom-2 right-2 h-[30px]! px-2.5!"
          onClick={() => file.current?.click()}
        >
          <ImageUp aria-hidden className="size-[15px]!" />
          {value ? t`Replace` : t`Upload`}
        </Button>
        <input
          ref={file}
          type="file"
          accept={accepted.join()}
          hidden
          aria-label={label}
          onChange={(event) => {
            const [first] = event.target.files ?? [];
            if (first) choose.mutate(first);
            event.target.value = '';
          }}
        />
      </div>
      {problem ? <FormError>{problem}</FormError> : help && <p className="text-caption text-quiet">{help}</p>}
      {chosen && (
        <Suspense>
          <CropDialog
            file={chosen}
            aspect={aspect}
            sending={send.isPending}
            problem={send.isError ? errorSentence(i18n, send.error) : undefined}
            onCrop={(crop) => send.mutate(crop)}
            onClose={() => {
              setChosen(undefined);
              send.reset();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
