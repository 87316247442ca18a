import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** A line that opens to what it is about; a list of them stands in a Card with `divide-y`. */
export function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details data-slot="disclosure" className="group py-1">
      <summary className="flex min-h-14 cursor-pointer items-center justify-between gap-4 py-2 font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-quiet transition-transform duration-160 group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <div className="whitespace-pre-line pb-4 text-muted-foreground">{children}</div>
    </details>
  );
}
