import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

/** A step on the way of money or of a request: it was done, or is still to come. */
export function Step({
  icon,
  title,
  line,
  done,
  quiet,
  warns,
}: {
  icon: ReactNode;
  title: string;
  line: string;
  done?: boolean;
  /** It is over without what was wished for. */
  quiet?: boolean;
  warns?: boolean;
}) {
  return (
    <li className="flex gap-3">
      <span
        className={clsx(
          'grid size-9 shrink-0 place-items-center rounded-full [&_svg]:size-[18px]',
          done ? 'bg-accent text-accent-foreground' : 'shadow-[inset_0_0_0_1.5px_var(--line-strong)]',
          !done && (warns ? 'text-warn-text' : 'text-quiet'),
        )}
      >
        {icon}
      </span>
      <span className="min-w-0">
        <span className={clsx('block text-row font-medium', warns && 'text-warn-text')}>
          {title}
          {done && !quiet && <Check aria-hidden className="ml-1.5 inline size-4 text-ok-text" />}
        </span>
        <span className="block text-caption text-quiet">{line}</span>
      </span>
    </li>
  );
}
