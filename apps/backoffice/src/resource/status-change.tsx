import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { useState } from 'react';
import { setStatus } from './calls.ts';
import type { AnyResource, StatusAction } from './resource.ts';

/** Gives rows a status; what can't be taken back is asked first. */
export function useStatusChange(resource: AnyResource, onDone?: () => void) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ action: StatusAction; ids: string[] }>();
  const change = useMutation({
    mutationFn: ({ action, ids }: { action: StatusAction; ids: string[] }) =>
      setStatus(resource.table, ids, action.status),
    onSuccess: (_, { action }) => {
      toast({ tone: 'ok', title: i18n._(action.title), line: t`Done` });
      onDone?.();
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).endsWith(`/${resource.table}`),
      });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : [];
      const reasons = fields.map(({ fault }) => faultSentence(i18n, fault)).join(' ');
      toast({ tone: 'bad', title: errorSentence(i18n, error), ...(reasons ? { line: reasons } : {}) });
    },
  });

  const question = (
    <Dialog open={Boolean(asked)} onOpenChange={(open) => !open && setAsked(undefined)}>
      {asked?.action.question && (
        <DialogContent
          title={i18n._(asked.action.title)}
          description={i18n._(asked.action.question)}
          foot={
            <div className="flex justify-end gap-2.5">
              <Button size="office" variant="outline" onClick={() => setAsked(undefined)}>{t`Not now`}</Button>
              <Button
                size="office"
                variant="destructive"
                onClick={() => {
                  change.mutate(asked);
                  setAsked(undefined);
                }}
              >
                {i18n._(asked.action.title)}
              </Button>
            </div>
          }
        />
      )}
    </Dialog>
  );

  return {
    question,
    pending: change.isPending,
    start: (action: StatusAction, ids: string[]) =>
      action.question ? setAsked({ action, ids }) : change.mutate({ action, ids }),
  };
}
