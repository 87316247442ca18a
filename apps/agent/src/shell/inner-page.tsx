import { useCanGoBack, useRouter } from '@tanstack/react-router';
import { useTitle } from '@wlv/client/page';
import { TopBar } from '@wlv/ui/top-bar';
import type { ReactNode } from 'react';
import { useArea } from '../area.tsx';
import type { PageName } from '../pages.ts';

/** A page under another one: back leads to where the person was, or to the page it belongs to when he came from outside. */
export function InnerPage({ title, parent, children }: { title: string; parent: PageName; children: ReactNode }) {
  const { go } = useArea();
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  useTitle(title);
  return (
    <div className="mx-auto max-w-[760px] lg:pt-5">
      <TopBar title={title} onBack={() => (canGoBack ? history.back() : void go(parent))} />
      <div className="px-4 pt-1 sm:px-6">{children}</div>
    </div>
  );
}
