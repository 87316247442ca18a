import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useCamera, useReading } from '@wlv/client/camera';
import { device } from '@wlv/client/device';
import { FaultNote } from '@wlv/client/fault-note';
import { usePage } from '@wlv/client/page';
import { newReader } from '@wlv/client/qr-reader';
import { useRouter } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Viewfinder } from '@wlv/ui/viewfinder';
import { CameraOff, Images, ScanLine } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { readRef } from './read-ref.ts';

/** Takes a giver's QR: by LINE's own scanner, by the camera, from a picture, or as a typed link. */
export function ScanGiftPage() {
  const { t } = useLingui();
  const { liffId } = useArea();
  const phone = useQuery({ queryKey: ['device'], queryFn: () => device(liffId), staleTime: Number.POSITIVE_INFINITY });
  const { take, refused } = useTake();
  return (
    <InnerPage title={t`Scan a gift`} parent="gifts">
      <div className="mx-auto grid max-w-[520px] grid-cols-1 gap-3.5 pb-4">
        {phone.data &&
          (phone.data.scan ? <LineScanner scan={phone.data.scan} onRead={take} /> : <Camera onRead={take} />)}
        <div role="status">
          {refused && (
            <Note tone="warn" title={t`This is not a gift`}>
              {t`Ask the giver for the QR or the link of the gift.`}
            </Note>
          )}
        </div>
        <FromPicture onRead={take} />
        <Typed onRead={take} />
      </div>
    </InnerPage>
  );
}

/** Goes to the gift that was read. */
function useTake() {
  const { base } = useArea();
  const { org } = usePage();
  const router = useRouter();
  const gifts = org?.liff.lifftransfer;
  const [refused, setRefused] = useState(false);
  const take = useCallback(
    (text: string) => {
      const ref = readRef(text, gifts);
      setRefused(!ref);
      if (ref) void router.go(`${base}/transferdata` as const, { search: { ref } });
    },
    [base, gifts, router],
  );
  return { take, refused };
}

interface Reading {
  onRead: (text: string) => void;
}

/** LINE's scanner lies over the page, and opens at once. */
function LineScanner({ scan, onRead }: Reading & { scan: () => Promise<string | null> }) {
  const { t } = useLingui();
  const [error, setError] = useState<unknown>();
  const open = useCallback(() => {
    setError(undefined);
    scan().then((text) => text && onRead(text), setError);
  }, [scan, onRead]);
  useEffect(open, [open]);
  return (
    <>
      <FaultNote error={error} />
      <Button wide onClick={open}>
        <ScanLine aria-hidden />
        {t`Open LINE's scanner`}
      </Button>
    </>
  );
}

function Camera({ onRead }: Reading) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  useReading(video, camera.live, onRead);
  return (
    <div className="relative grid h-[336px] place-items-center overflow-hidden rounded-card bg-[#15130f] text-white">
      <video ref={video} playsInline muted className="absolute inset-0 size-full object-cover" />
      <Viewfinder>{camera.missing && <CameraOff aria-hidden className="size-12" />}</Viewfinder>
      <p role="status" className="absolute inset-x-4 bottom-2 text-center text-caption">
        {camera.missing ? t`No camera here` : t`Hold the QR in the frame`}
      </p>
    </div>
  );
}

/** A QR that somebody sent as a picture. */
function FromPicture({ onRead }: Reading) {
  const { t } = useLingui();
  const choose = useRef<HTMLInputElement>(null);
  const [empty, setEmpty] = useState(false);
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = '';
    if (!file) return;
    const text = await readPicture(file);
    setEmpty(!text);
    if (text) onRead(text);
  };
  return (
    <>
      <input
        ref={choose}
        type="file"
        accept="image/*"
        aria-label={t`Picture with a QR`}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => void read(event)}
      />
      <Button variant="outline" size="md" wide onClick={() => choose.current?.click()}>
        <Images aria-hidden />
        {t`Choose a picture`}
      </Button>
      <div role="status">{empty && <Note tone="warn" title={t`No QR was found in this picture`} />}</div>
    </>
  );
}

/** It answers null too for what is no picture. */
async function readPicture(file: File) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  try {
    const read = await newReader();
    return await read(picture);
  } finally {
    picture.close();
  }
}

function Typed({ onRead }: Reading) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onRead(text);
  };
  return (
    <form className="grid grid-cols-1 gap-3" onSubmit={submit}>
      <Field label={t`Or paste the link of the gift`}>
        <Input
          value={text}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="soft" size="md" wide disabled={!text.trim()}>
        {t`Open the gift`}
      </Button>
    </form>
  );
}
