import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Button } from '@wlv/ui/button';
import { MessageCircle } from 'lucide-react';
import { FaultNote } from '../fault-note.tsx';
import { startLine } from '../sign-in.ts';

/** The way to LINE's own sign-in page, and what kept the person from it. */
export function LineButton({
  start,
  label,
  disabled,
  className,
}: {
  start: Parameters<typeof startLine>[0];
  /** What is done with LINE, where it is not signing in. */
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const { t } = useLingui();
  const leaving = useMutation({ mutationFn: () => startLine(start) });
  return (
    <>
      <Button
        variant="line"
        wide
        className={className}
        disabled={disabled || leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        <MessageCircle aria-hidden />
        {leaving.isPending ? t`Opening LINE…` : (label ?? t`Sign in with LINE`)}
      </Button>
      <FaultNote error={leaving.error} className="w-full text-left" />
    </>
  );
}
