import { useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import type { RefObject } from 'react';

/** Asks before what was typed is lost, by whatever way the person leaves. `leaving` is set when it has been saved. */
export function LeaveQuestion({ changed, leaving }: { changed: number; leaving?: RefObject<boolean> }) {
  const { t } = useLingui();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed > 0 && !leaving?.current && current.pathname !== next.pathname,
    enableBeforeUnload: changed > 0,
    withResolver: true,
  });
  return (
    <Dialog open={blocker.status === 'blocked'} onOpenChange={(open) => !open && blocker.reset?.()}>
      <DialogContent
        title={t`Leave without saving?`}
        description={t`What you changed is not saved yet.`}
        foot={
          <div className="flex justify-end gap-2.5">
            <Button size="office" variant="destructive" onClick={blocker.proceed}>{t`Discard changes`}</Button>
            <Button size="office" onClick={blocker.reset}>{t`Go on editing`}</Button>
          </div>
        }
      />
    </Dialog>
  );
}
