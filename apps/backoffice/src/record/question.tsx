import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  line: string;
  /** What yes is called, and what leaves all as it is: "Look again" if nothing else is said. */
  button: ReactNode;
  keep?: string;
  /** Yes takes something away. */
  takesAway?: boolean;
  /** Yes cannot be said yet. */
  disabled?: boolean;
  of: { error: Error | null; isPending: boolean };
  onYes: () => void;
  onDone: () => void;
  /** What has to be filled in. Without it, whoever presses Enter at once leaves all as it is. */
  children?: ReactNode;
}

/** A question with its answer, in a dialog. */
export function Question({ title, line, button, keep, takesAway, disabled, of, onYes, onDone, children }: Props) {
  const { t } = useLingui();
  return (
    <DialogContent
      title={title}
      description={line}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" autoFocus={!children} onClick={onDone}>
            {keep ?? t`Look again`}
          </Button>
          <Button
            size="office"
            variant={takesAway ? 'destructive' : 'default'}
            disabled={of.isPending || disabled}
            onClick={onYes}
          >
            {button}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        {children}
        <FaultNote error={of.error} />
      </div>
    </DialogContent>
  );
}
