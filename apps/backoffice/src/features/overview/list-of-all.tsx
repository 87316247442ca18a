import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { saveFile } from '@wlv/client/download';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table } from '@wlv/ui/table';
import { toast } from '@wlv/ui/toast';
import { Download, Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Facts } from '../../resource/facts.tsx';
import { MoreButton } from '../../shell/more-button.tsx';

interface Props {
  title: string;
  /** What all of it comes to, above the search. */
  sums?: ReactNode;
  /** What is searched for: how a name begins, if nothing else is said. */
  searchLabel?: string;
  search: string;
  onSearch: (text: string) => void;
  /** What orders the list, beside the search. */
  order?: ReactNode;
  /** What else is done here, beside the file. */
  actions?: ReactNode;
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
export function ListOfAll({
  title,
  sums,
  searchLabel,
  search,
  onSearch,
  order,
  actions,
  onWiden,
  list,
  makeFile,
  cutNote,
  note,
  children,
}: Props) {
  const { t } = useLingui();
  const label = searchLabel ?? t`How the name begins`;
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
        {actions}
      </div>
      {sums}
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Input
          size="office"
          className="max-w-[320px]"
          maxLength={80}
          aria-label={label}
          placeholder={label}
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
            <EmptyState
              title={search ? t`Nothing that fits` : t`Nothing here yet`}
              line={search ? t`Try fewer letters.` : t`What organisations have is copied here every five minutes.`}
            />
          )}
        </Card>
      )}
      <MoreButton of={list} />
      <p className="mt-4 text-caption text-quiet">{note}</p>
    </div>
  );
}

/** What the address narrows a list to, and what narrows it to something else; '' takes one away. */
export function useNarrowed<T extends Record<string, string>>() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const asked = search as Partial<T>;
  const navigate = useNavigate();
  const narrow = (change: Partial<T>) => {
    const kept = Object.entries({ ...asked, ...change }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
  };
  return { asked, narrow };
}

/** Shows the record of a row while one is opened. */
export function RecordDialog({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <Dialog open={Boolean(children)} onOpenChange={(open) => !open && onClose()}>
      {children}
    </Dialog>
  );
}

/** A row as its organisation has it now. */
export function RecordOfRow({
  title,
  of,
  record,
  facts,
  children,
}: {
  title: string;
  of: { org_id: string; org_name_th: string; org_name_en: string };
  record: { isPending: boolean; error: Error | null; refetch: () => unknown };
  facts: ComponentProps<typeof Facts>['of'] | undefined;
  /** What is done with it. */
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <DialogContent title={title} description={text(of, 'org_name')}>
      {record.isPending && <Skeleton className="h-40 rounded-office" />}
      {record.error && (
        <Failure title={t`This did not load`} error={record.error} onRetry={() => void record.refetch()} />
      )}
      {facts && <Facts of={facts} />}
      {facts && children}
      <OrganisationLink id={of.org_id} />
    </DialogContent>
  );
}

/** Leads to a row's organisation. */
export function OrganisationLink({ id }: { id: string }) {
  const { t } = useLingui();
  return (
    <Link
      to="/advwsadmin/organize_edit/$id"
      params={{ id }}
      className="mt-4 inline-block text-caption text-brand-text underline underline-offset-4"
    >
      {t`Open the organisation`}
    </Link>
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
