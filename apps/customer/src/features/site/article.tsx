import { useTitle } from '@wlv/client/page';
import type { ReactNode } from 'react';

/** A page of words: a title, a leading sentence, and no line longer than reads well. */
export function Article({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <article className="mx-auto max-w-[880px] px-5 pt-8 lg:pt-14">
      <h1 className="text-[32px] font-bold leading-[48px] lg:text-[44px] lg:leading-[66px]">{title}</h1>
      {lead && <p className="mt-2 text-[17px] leading-[29px] text-muted-foreground">{lead}</p>}
      <div className="mt-8">{children}</div>
    </article>
  );
}

export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-8 scroll-mt-24">
      <h2 className="text-[20px] font-semibold leading-8">{title}</h2>
      <div className="mt-1.5 grid grid-cols-1 gap-2 text-muted-foreground">{children}</div>
    </section>
  );
}
