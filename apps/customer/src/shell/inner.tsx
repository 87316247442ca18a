import { useTitle } from '@wlv/client/page';
import { useRouter } from '@wlv/client/router';
import { TopBar } from '@wlv/ui/top-bar';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useArea } from '../area.tsx';
import type { Page } from '../pages.ts';

/** Back to where the person was, or to the page that this one belongs to when he came from outside. */
export function useBack(parent: Page) {
  const { back } = useRouter();
  const { path } = useArea();
  return () => back(path(parent));
}

/** An inner page: top bar, and content no wider than reads well. `foot` says that an ActionFoot lies over it. */
export function InnerPage({
  title,
  parent,
  actions,
  foot,
  children,
}: {
  title: string;
  /** Where back goes when there is nothing behind. */
  parent: Page;
  actions?: ReactNode;
  foot?: boolean;
  children: ReactNode;
}) {
  useTitle(title);
  const back = useBack(parent);
  return (
    <div className={clsx('mx-auto max-w-[760px]', foot && 'pb-36 lg:pb-0')}>
      <TopBar title={title} onBack={back}>
        {actions}
      </TopBar>
      <div className="px-4 sm:px-6">{children}</div>
    </div>
  );
}
