/** Looks for a QR in what the camera sees; answers its text, or null. */
export type Reader = (video: HTMLVideoElement) => Promise<string | null>;

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
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
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

  return async (video) => {
    const square = Math.min(video.videoWidth, video.videoHeight);
    if (!square || !context) return null;
    const [x, y] = [(video.videoWidth - square) / 2, (video.videoHeight - square) / 2];
    context.drawImage(video, x, y, square, square, 0, 0, side, side);
    try {
      return decode(context.getImageData(0, 0, side, side));
    } catch {
      // The decoder throws where there is no code in the picture, which is nearly always.
      return null;
    }
  };
}
