import { ActionFoot } from '@wlv/ui/action-foot';
import { Check, Clock, X } from 'lucide-react';
import type { ReactNode } from 'react';

const ends = {
  done: { Icon: Check, tone: 'bg-ok-soft text-ok-text' },
  late: { Icon: Clock, tone: 'bg-warn-soft text-warn-text' },
  failed: { Icon: X, tone: 'bg-bad-soft text-bad-text' },
};

/** How a payment ended: what happened to the money, and what to do next. */
export function ChargeEnd({
  end,
  title,
  line,
  children,
}: {
  end: keyof typeof ends;
  title: string;
  line: string;
  children: ReactNode;
}) {
  const { Icon, tone } = ends[end];
  return (
    <div role="status" className="grid justify-items-center px-6 pt-14 text-center">
      <span className={`grid size-16 place-items-center rounded-full ${tone}`}>
        <Icon aria-hidden className="size-8" strokeWidth={end === 'done' ? 2.5 : 2} />
      </span>
      <h2 className="mt-4 text-h1 font-semibold">{title}</h2>
      <p className="mt-1 max-w-[40ch] text-row text-muted-foreground">{line}</p>
      <ActionFoot className="grid grid-cols-1 gap-2">{children}</ActionFoot>
    </div>
  );
}
