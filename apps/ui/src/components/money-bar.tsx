import { clsx } from 'clsx';

/** A part of a sum: its colour is a class, since tokens are. */
export interface MoneyPart {
  key: string;
  satang: number;
  colour: string;
}

/** A sum as the parts it is made of; the words beside it say the same. */
export function MoneyBar({ parts, className }: { parts: MoneyPart[]; className?: string }) {
  const shown = parts.filter(({ satang }) => satang > 0);
  return (
    <div
      data-slot="money-bar"
      aria-hidden
      className={clsx('flex h-3.5 gap-[3px] overflow-hidden rounded-[7px] bg-card', className)}
    >
      {shown.length === 0 && <span className="flex-1 bg-track" />}
      {shown.map((part) => (
        <span
          key={part.key}
          className={clsx(part.colour, 'min-w-1.5 rounded-[3px]')}
          style={{ flexGrow: part.satang }}
        />
      ))}
    </div>
  );
}

/** The mark beside a part's words. */
export function MoneyMark({ colour }: { colour: string }) {
  return <span aria-hidden className={clsx(colour, 'block size-2.5 shrink-0 rounded-[3px]')} />;
}
