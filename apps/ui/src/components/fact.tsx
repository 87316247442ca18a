import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** A rule or a fact in words, beside a tile that says what kind it is. */
export function Fact({
  icon,
  title,
  line,
  className,
}: {
  icon: ReactNode;
  title: ReactNode;
  line?: ReactNode;
  className?: string;
}) {
  return (
    <div data-slot="fact" className={clsx('flex gap-3.5 py-2.5', className)}>
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0">
        <p className="text-row font-medium">{title}</p>
        {line && <p className="text-caption text-quiet">{line}</p>}
      </div>
    </div>
  );
}
