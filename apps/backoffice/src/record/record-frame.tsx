import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { toast } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';

/** What a record is, at the top of its page: amount or name, state, who and when, and what can be done with it. */
export function RecordHead({
  name,
  picture,
  title,
  chips,
  code,
  line,
  actions,
}: {
  /** What the browser's tab is called. */
  name: string;
  picture?: ReactNode;
  title: ReactNode;
  chips?: ReactNode;
  /** A number or code that somebody may want to copy. */
  code?: string;
  line: ReactNode;
  actions?: ReactNode;
}) {
  useTitle(name);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      {picture}
      <div className="min-w-0 grow basis-0 max-sm:basis-[60%]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 text-h1-office font-semibold wrap-break-word">{title}</h1>
          {chips}
        </div>
        <p className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-muted-foreground">
          {code && <CopyCode code={code} />}
          {line}
        </p>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2.5">{actions}</div>}
    </div>
  );
}

/** Something that somebody may want to copy. */
export function CopyCode({ code }: { code: string }) {
  const { t } = useLingui();
  return (
    <span className="inline-flex items-center gap-1 font-medium text-foreground">
      {code}
      <button
        type="button"
        aria-label={t`Copy ${code}`}
        className="grid size-8 place-items-center rounded-small text-quiet hover:bg-muted"
        onClick={() =>
          void navigator.clipboard.writeText(code).then(
            () => toast({ tone: 'ok', title: t`Copied` }),
            () => toast({ tone: 'bad', title: t`This browser does not let us copy. Please mark and copy it.` }),
          )
        }
      >
        <Copy aria-hidden className="size-4" />
      </button>
    </span>
  );
}

/** A record's two columns: what happened, and what is known of it. On a tablet the facts stand below, on a phone too. */
export function RecordColumns({ children, facts }: { children: ReactNode; facts: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_344px] xl:grid-cols-[minmax(0,1fr)_372px]">
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">{children}</div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-4 sm:grid-cols-2 lg:grid-cols-1">{facts}</div>
    </div>
  );
}

/** A part of a record under a name. */
export function RecordCard({
  title,
  beside,
  className,
  children,
}: {
  title: ReactNode;
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card office className={clsx('min-w-0 px-[18px] py-4', className)}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-base font-semibold">{title}</h2>
        {beside && <span className="text-caption text-quiet">{beside}</span>}
      </div>
      {children}
    </Card>
  );
}

export interface Figure {
  name: string;
  value: ReactNode;
  line?: ReactNode;
}

/** A record's few figures in one row. */
export function RecordFigures({ figures }: { figures: Figure[] }) {
  return (
    <Card office className="mb-4 overflow-clip">
      <dl className="-mb-px -mr-px flex flex-wrap">
        {figures.map(({ name, value, line }) => (
          <div
            key={name}
            className="min-w-0 grow basis-[140px] px-[18px] py-3 shadow-[1px_1px_0_var(--line)] sm:basis-[170px]"
          >
            <dt className="text-caption text-quiet">{name}</dt>
            <dd className="mt-0.5 text-h2 font-semibold">{value}</dd>
            {line && <dd className="text-caption text-quiet">{line}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  );
}
