import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** The head of a front, the platform's or a shop's: who it is and what is sure there, with tickets beside it. */
export function Hero({
  mark,
  title,
  size,
  lead,
  actions,
  assurances,
  tickets,
}: {
  mark?: ReactNode;
  title: ReactNode;
  /** A slogan is larger than a name, which may be long. */
  size: 'slogan' | 'name';
  lead?: ReactNode;
  actions: ReactNode;
  assurances: ReactNode;
  tickets: ReactNode;
}) {
  return (
    <div
      className={clsx(
        'mx-auto grid max-w-[1440px] grid-cols-1 items-center gap-6 overflow-x-clip lg:grid-cols-2 lg:px-20',
        size === 'name' && 'lg:min-h-[640px]',
      )}
    >
      <section className="px-5 pt-6 lg:px-0 lg:py-11">
        {mark}
        <h1
          className={clsx(
            'font-bold wrap-break-word',
            size === 'slogan'
              ? 'text-hero-phone lg:text-hero'
              : 'text-[36px] leading-[54px] lg:text-[56px] lg:leading-[84px]',
            mark && 'mt-4',
          )}
        >
          {title}
        </h1>
        {lead && (
          <p className="mt-1 max-w-[540px] text-[17px] leading-[29px] text-muted-foreground lg:mt-3 lg:text-[20px] lg:leading-[34px]">
            {lead}
          </p>
        )}
        <div className="mt-5 flex flex-wrap gap-2.5 lg:mt-8">{actions}</div>
        <ul className="mt-6 flex min-h-14 flex-wrap content-start gap-x-6 gap-y-2 text-row text-muted-foreground lg:min-h-6">
          {assurances}
        </ul>
      </section>
      {tickets}
    </div>
  );
}

export function Assurance({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ok-text">
      {icon}
      {children}
    </li>
  );
}
