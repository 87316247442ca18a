import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from '@wlv/client/download';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table } from '@wlv/ui/table';
import { toast } from '@wlv/ui/toast';
import { Download, Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { MoreButton } from '../../shell/more-button.tsx';

interface Props {
  title: string;
  /** What is typed of a name. */
  search: string;
  onSearch: (text: string) => void;
  /** What orders the list, beside the search. */
  order?: ReactNode;
  /** Shows those of every organisation again; left out where the list is of all. */
  onWiden?: (() => void) | undefined;
  list: ComponentProps<typeof MoreButton>['of'] & {
    isPending: boolean;
    error: Error | null;
    refetch: () => unknown;
    data?: { pages: { data: unknown[]; seen: { oldest_at: string | null } }[] } | undefined;
  };
  makeFile: () => Promise<{ name: string; text: string; cut: boolean }>;
  /** Said when the file does not hold all that was found. */
  cutNote: string;
  /** What the list does not say by itself. */
  note: string;
  /** The table's head and body. */
  children: ReactNode;
}

/** A list of something of all organisations, as it was copied from them: searched, ordered, narrowed to one of them, saved as a file. */
export function ListOfAll({ title, search, onSearch, order, onWiden, list, makeFile, cutNote, note, children }: Props) {
  const { t } = useLingui();
  useTitle(title);
  const file = useMutation({
    mutationFn: makeFile,
    onSuccess: ({ name, text, cut }) => {
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
      if (cut) toast({ tone: 'warn', title: cutNote });
    },
  });
  const oldest = list.data?.pages[0]?.seen.oldest_at;
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-h1-office font-semibold">{title}</h1>
          {oldest && <p className="text-caption text-quiet">{t`As of ${dateTime(oldest)} or later`}</p>}
        </div>
        {onWiden && <Button size="office" variant="outline" onClick={onWiden}>{t`Show those of everybody`}</Button>}
        <Button size="office" variant="outline" disabled={file.isPending} onClick={() => file.mutate()}>
          <Download aria-hidden />
          {t`Save what was found`}
        </Button>
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Input
          size="office"
          className="max-w-[320px]"
          maxLength={80}
          aria-label={t`How the name begins`}
          placeholder={t`How the name begins`}
          before={<Search aria-hidden className="size-4" />}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
        {order}
      </div>
      <FaultNote error={file.error} />
      {list.isPending && <Skeleton className="h-96 rounded-office" />}
      {list.error && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <Card office className="overflow-clip">
          {list.data.pages[0]?.data.length ? (
            <Table>{children}</Table>
          ) : (
            <EmptyState title={t`Nothing that fits`} line={t`Try fewer letters of the name.`} />
          )}
        </Card>
      )}
      <MoreButton of={list} />
      <p className="mt-4 text-caption text-quiet">{note}</p>
    </div>
  );
}

/** What opens a row of the list. */
export function OpenRow({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useLingui();
  return (
    <button type="button" className="text-left font-medium text-foreground hover:underline" onClick={onClick}>
      {name || t`No name`}
    </button>
  );
}

/** A row's organisation, to which it narrows the list. */
export function OrganisationOf({
  row,
  onClick,
}: {
  row: { org_name_th: string; org_name_en: string };
  onClick: () => void;
}) {
  const text = useTexts();
  return (
    <button type="button" className="text-left text-brand-text hover:underline" onClick={onClick}>
      {text(row, 'org_name')}
    </button>
  );
}
