/** Looks for a QR in what the camera sees, or in a picture; answers its text, or null. */
export type Reader = (picture: HTMLVideoElement | ImageBitmap) => Promise<string | null>;

interface Detector {
  detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** The browser's own detector where it knows QR, else a decoder in script. */
export async function newReader(): Promise<Reader> {
  const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  if (Native && (await Native.getSupportedFormats()).includes('qr_code')) {
    const detector = new Native({ formats: ['qr_code'] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null;
  }
  return scriptReader();
}

/** Larger pictures are read no better, only slower. */
const side = 640;

async function scriptReader(): Promise<Reader> {
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d', { willReadFrequently: true });

  return async (picture) => {
    const [width, height] =
      picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
    if (!width || !height || !context) return null;
    // The camera is held so that the code is in the middle; in a picture it may be anywhere.
    const square = picture instanceof HTMLVideoElement ? Math.min(width, height) : Math.max(width, height);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, side, side);
    context.drawImage(picture, (width - square) / 2, (height - square) / 2, square, square, 0, 0, side, side);
    try {
      return decode(context.getImageData(0, 0, side, side));
    } catch {
      // The decoder throws where there is no code in the picture, which is nearly always.
      return null;
    }
  };
}
