import { useLingui } from '@lingui/react/macro';
import { clsx } from 'clsx';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { TicketDrawing, TornTicketDrawing } from './drawings.tsx';

function State({
  drawing,
  title,
  line,
  action,
  note,
  className,
}: {
  drawing: ReactNode;
  title: ReactNode;
  line?: ReactNode;
  action?: ReactNode;
  note?: ReactNode;
  className?: string;
}) {
  return (
    <div className={clsx('grid justify-items-center px-9 py-14 text-center', className)}>
      {drawing}
      <h2 className="mt-[18px] text-state font-semibold">{title}</h2>
      {line && <p className="mb-[22px] mt-1.5 max-w-[44ch] text-row text-muted-foreground">{line}</p>}
      {action}
      {note && <p className="mt-[18px] text-caption text-quiet">{note}</p>}
    </div>
  );
}

/** Nothing here yet: what belongs here, and the next step. */
export function EmptyState(props: {
  title: ReactNode;
  line?: ReactNode;
  action?: ReactNode;
  drawing?: ReactNode;
  className?: string;
}) {
  return (
    <div data-slot="empty-state">
      <State {...props} drawing={props.drawing ?? <TicketDrawing />} />
    </div>
  );
}

/** It did not work: what happened, that nothing is lost, and another try. */
export function ErrorState({
  title,
  line,
  onRetry,
  reference,
  help,
  className,
}: {
  title: ReactNode;
  line: ReactNode;
  onRetry?: () => void;
  /** The request's id, so that support can find it. */
  reference?: string;
  /** Where somebody answers. */
  help?: ReactNode;
  className?: string;
}) {
  const { t } = useLingui();
  return (
    <div data-slot="error-state" role="alert">
      <State
        drawing={<TornTicketDrawing />}
        title={title}
        line={line}
        {...(className ? { className } : {})}
        action={
          onRetry && (
            <Button onClick={onRetry}>
              <RefreshCw aria-hidden />
              {t`Try again`}
            </Button>
          )
        }
        note={
          (reference || help) && (
            <>
              {reference && t`Reference ${reference}`}
              {reference && help && ' · '}
              {help}
            </>
          )
        }
      />
    </div>
  );
}
