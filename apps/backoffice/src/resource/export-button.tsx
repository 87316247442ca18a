import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { Button } from '@wlv/ui/button';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { toast } from '@wlv/ui/toast';
import { Download, FileSpreadsheet, FileText } from 'lucide-react';
import { useFollowJob } from '../shell/jobs.ts';
import { exportList, type ListBody } from './calls.ts';
import type { AnyResource } from './resource.ts';

/** A file of exactly what the list is narrowed to; it is made in the background. */
export function ExportButton({ resource, body }: { resource: AnyResource; body: ListBody }) {
  const { t, i18n } = useLingui();
  const follow = useFollowJob();
  const ask = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') => {
      const { filter, search, sort } = body;
      return exportList(
        resource.table,
        { ...(filter ? { filter } : {}), ...(search ? { search } : {}), ...(sort ? { sort } : {}) },
        format,
      );
    },
    onSuccess: follow,
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" size="office" disabled={ask.isPending}>
          <Download aria-hidden />
          <span className="max-sm:sr-only">{t`Export what is shown`}</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => ask.mutate('xlsx')}>
          <FileSpreadsheet aria-hidden />
          Excel (.xlsx)
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => ask.mutate('csv')}>
          <FileText aria-hidden />
          CSV
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
