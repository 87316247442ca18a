import { saveFile } from '@wlv/client/download';
import { baht } from '@wlv/ui/format';

/** What stands on the picture beside the code: who opens it in a bank's app has left our page. */
interface Payment {
  qr: string;
  satang: number;
  payee: string;
  reference: string;
}

const width = 720;
const height = 1000;
const code = 560;

/**
 * Saves a QR as a PNG, which every phone's gallery and every bank's app reads: through the phone's own sheet where it takes pictures, else as
 * a download. It answers whether the person saved it; he may close the sheet.
 */
export async function savePaymentQr({ qr, satang, payee, reference }: Payment): Promise<boolean> {
  const source = URL.createObjectURL(await (await fetch(qr)).blob());
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const draw = canvas.getContext('2d');
  if (!draw) throw new Error('the browser draws nothing');
  draw.fillStyle = '#ffffff';
  draw.fillRect(0, 0, width, height);
  draw.fillStyle = '#113566';
  draw.fillRect(0, 0, width, 120);
  draw.textAlign = 'center';
  const line = (text: string, y: number, font: string, colour: string) => {
    draw.fillStyle = colour;
    draw.font = `${font} "Noto Sans Thai Variable", sans-serif`;
    draw.fillText(text, width / 2, y, width - 80);
  };
  line('THAI QR PAYMENT', 78, '600 44px', '#ffffff');
  line('PromptPay · พร้อมเพย์', 172, '600 30px', '#113566');
  draw.imageSmoothingEnabled = false;
  draw.drawImage(image, (width - code) / 2, 200, code, code);
  line(baht(satang), 850, '600 60px', '#15130f');
  line(payee, 910, '400 32px', '#15130f');
  line(reference, 960, '400 28px', '#5d584f');
  URL.revokeObjectURL(source);

  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('the browser made no picture');
  const file = new File([blob], `${reference}.png`, { type: 'image/png' });
  if (!navigator.canShare?.({ files: [file] }) || !matchMedia('(pointer: coarse)').matches) {
    saveFile(blob, file.name);
    return true;
  }
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
}
