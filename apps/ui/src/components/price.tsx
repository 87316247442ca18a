import { clsx } from 'clsx';
import { amount } from '../format/format.ts';

/** ฿ at 72 %, baht full, satang at 66 %, on one baseline; the size comes from the text around it. */
export function Price({ satang, struck, className }: { satang: number; struck?: boolean; className?: string }) {
  const [whole, rest] = amount(Math.abs(satang)).split('.');
  const parts = (
    <>
      <span className="mr-0.5 text-[0.72em] font-medium">{satang < 0 ? '−฿' : '฿'}</span>
      {whole}
      <span className="text-[0.66em] font-medium">.{rest}</span>
    </>
  );
  const shape = 'inline-flex items-baseline whitespace-nowrap';
  if (struck) return <s className={clsx(shape, 'font-normal text-quiet', className)}>{parts}</s>;
  return (
    <span data-slot="price" className={clsx(shape, 'font-semibold', className)}>
      {parts}
    </span>
  );
}
