import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** A rule or a fact in words, beside a tile that says what kind it is. */
export function Fact({
  icon,
  title,
  line,
  opens,
  className,
}: {
  icon: ReactNode;
  title: ReactNode;
  line?: ReactNode;
  /** Makes a link or a button of it, which says more. */
  opens?: (content: ReactNode, className: string) => ReactNode;
  className?: string;
}) {
  const shape = clsx(
    'flex gap-3.5 py-2.5',
    !(line && !opens) && 'items-center',
    opens && 'w-full rounded-touch text-left',
    className,
  );
  const content = (
    <>
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground [&_svg]:size-5">
        {icon}
      </span>
      <span className={clsx('min-w-0', opens && 'flex-1')}>
        <span className="block text-row font-medium">{title}</span>
        {line && <span className="block text-caption text-quiet">{line}</span>}
      </span>
      {opens && <ChevronRight aria-hidden className="size-5 shrink-0 text-quiet" />}
    </>
  );
  if (opens) return opens(content, shape);
  return (
    <div data-slot="fact" className={shape}>
      {content}
    </div>
  );
}
