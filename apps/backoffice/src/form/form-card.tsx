import { FaultNote } from '@wlv/client/fault-note';
import { Card } from '@wlv/ui/card';
import type { ReactNode } from 'react';

/** A card that is a form; why the server refused it stands above its fields. */
export function FormCard({
  title,
  line,
  error,
  onSubmit,
  children,
}: {
  title?: ReactNode;
  line?: ReactNode;
  error: Error | null | undefined;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}) {
  return (
    <Card office className="px-5 py-6 sm:px-[30px]">
      <form
        noValidate
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {title && (
          <div>
            <h2 className="text-h1-office font-semibold">{title}</h2>
            <p className="text-muted-foreground">{line}</p>
          </div>
        )}
        <FaultNote error={error} />
        {children}
      </form>
    </Card>
  );
}
