import { QRCodeSVG } from 'qrcode.react';

/**
 * Plain black squares on white, by night too: rounded eyes and a logo in the middle made readers miss.
 * Whoever places it leaves four modules of white around it.
 */
export function QRCode({
  text,
  size,
  label,
  pale,
}: {
  text: string;
  size: number;
  label: string;
  /** It stands for a code that nobody is to scan now. */
  pale?: boolean;
}) {
  return (
    <QRCodeSVG
      data-slot="qr-code"
      value={text}
      size={size}
      level="M"
      marginSize={0}
      bgColor="#ffffff"
      fgColor={pale ? '#eceae4' : '#000000'}
      title={label}
      role="img"
    />
  );
}
