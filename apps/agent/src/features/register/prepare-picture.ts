/** As wide as the server keeps it. */
const widest = 1600;
const quality = 0.85;

/** Where a bar covers the line of a card that says a religion; in parts of the picture. */
export interface Cover {
  x: number;
  y: number;
}

export const coverSize = { width: 0.26, height: 0.055 };

/** The picture as it is sent: turned upright, with the shop's name across it, and the bar over the religion. Nothing else leaves the phone. */
export async function preparePicture(file: File, words: string, cover: Cover | null): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, widest / picture.width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('this browser cannot prepare a picture');
  paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  if (cover) {
    paint.fillStyle = '#26323b';
    const width = coverSize.width * canvas.width;
    const height = coverSize.height * canvas.height;
    paint.fillRect(cover.x * canvas.width - width / 2, cover.y * canvas.height - height / 2, width, height);
  }
  watermark(paint, canvas.width, canvas.height, words);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))), 'image/jpeg', quality),
  );
}

function watermark(paint: CanvasRenderingContext2D, width: number, height: number, words: string) {
  const size = Math.max(14, Math.round(width / 26));
  paint.save();
  paint.translate(width / 2, height / 2);
  paint.rotate(-0.3);
  paint.font = `500 ${size}px "Noto Sans Thai", sans-serif`;
  paint.fillStyle = 'rgb(38 50 59 / 38%)';
  const line = `${words}   `.repeat(12);
  const reach = width + height;
  for (let y = -reach, i = 0; y < reach; y += size * 3, i++) paint.fillText(line, -reach + (i % 2) * size * 4, y);
  paint.restore();
}

/** Below it letters cannot be read. */
const sharp = 45;

/** Whether a picture is sharp enough to be read, by how much its neighbouring points differ. */
export async function isSharp(file: File): Promise<boolean> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const canvas = document.createElement('canvas');
  canvas.width = 480;
  canvas.height = Math.max(1, Math.round((480 * picture.height) / picture.width));
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  if (!paint) return true;
  paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return sharpness(paint.getImageData(0, 0, canvas.width, canvas.height)) >= sharp;
}

/** The variance of the Laplacian of a picture's grey values. */
export function sharpness({ data, width, height }: Pick<ImageData, 'data' | 'width' | 'height'>): number {
  const grey = (x: number, y: number) => {
    const at = (y * width + x) * 4;
    return 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  };
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const bend = grey(x - 1, y) + grey(x + 1, y) + grey(x, y - 1) + grey(x, y + 1) - 4 * grey(x, y);
      sum += bend;
      squares += bend * bend;
      count++;
    }
  }
  return count ? squares / count - (sum / count) ** 2 : 0;
}
