import { useLingui } from '@lingui/react/macro';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence } from './api-error.ts';

/** Why what the person asked for was not done, read out at once, and what helps; nothing while there is no error. */
export function FaultNote({
  error,
  className,
  children,
}: {
  error: unknown;
  className?: string;
  children?: ReactNode;
}) {
  const { i18n } = useLingui();
  if (!error) return null;
  return (
    <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className={className}>
      {errorSentence(i18n, error)}
      {children}
    </Note>
  );
}
