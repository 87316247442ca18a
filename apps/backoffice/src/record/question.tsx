import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import type { ReactNode } from 'react';

/** A question with its answer, in a dialog. */
export function Question({
  title,
  line,
  button,
  of,
  onYes,
  onDone,
  children,
}: {
  title: string;
  line: string;
  button: string;
  of: { error: Error | null; isPending: boolean };
  onYes: () => void;
  onDone: () => void;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <DialogContent
      title={title}
      description={line}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Look again`}</Button>
          <Button size="office" disabled={of.isPending} onClick={onYes}>
            {button}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        <FaultNote error={of.error} />
        {children}
      </div>
    </DialogContent>
  );
}
