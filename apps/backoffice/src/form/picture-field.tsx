import { upload } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import type { Crop } from './crop-dialog.tsx';
import { PictureChoice, type PictureProps } from './picture-choice.tsx';

/** A picture that is uploaded as soon as it is chosen; the form then holds its id. */
export function PictureField(props: PictureProps) {
  return <PictureChoice {...props} keep={send} address={(id) => pictureURL(id, 800)} />;
}

async function send(file: File, crop: Crop) {
  const form = new FormData();
  form.set('images', file);
  for (const [key, pixels] of [
    ['x', crop.x],
    ['y', crop.y],
    ['w', crop.width],
    ['h', crop.height],
  ] as const) {
    form.set(key, String(Math.round(pixels)));
  }
  const { id } = await upload('/api/owner/upload/image', form);
  return id;
}
