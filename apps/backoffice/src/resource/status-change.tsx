import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { count } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { useState } from 'react';
import { setStatus } from './calls.ts';
import { useName } from './names.ts';
import type { AnyResource, AnyRow, StatusAction } from './resource.ts';

/** What is done to which rows; a single one by its name. */
interface Change {
  action: StatusAction;
  ids: string[];
  name?: string | undefined;
}

/** Gives rows a status; what can't be taken back is asked first, by the name of what it is done to. */
export function useStatusChange(resource: AnyResource, onDone?: () => void) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const nameOf = useName(resource);
  const [asked, setAsked] = useState<Change>();
  const change = useMutation({
    mutationFn: ({ action, ids }: Change) => setStatus(resource.table, ids, action.status),
    onSuccess: (_, { action }) => {
      toast({ tone: 'ok', title: i18n._(action.title), line: t`Done` });
      onDone?.();
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).endsWith(`/${resource.table}`),
      });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : [];
      const reasons = fields
        .map(({ path, fault }) => {
          const own = resource.refusals?.[`${path}:${fault}`];
          return own ? i18n._(own) : faultSentence(i18n, fault);
        })
        .join(' ');
      toast({ tone: 'bad', title: errorSentence(i18n, error), ...(reasons ? { line: reasons } : {}) });
    },
  });

  function whatIsAsked({ action, ids, name }: Change) {
    const what = i18n._(action.title);
    return name ? t`${what} ${i18n._(resource.one)} “${name}”` : t`${what} ${count(ids.length)} items`;
  }

  const question = (
    <Dialog open={Boolean(asked)} onOpenChange={(open) => !open && setAsked(undefined)}>
      {asked?.action.question && (
        <DialogContent
          title={whatIsAsked(asked)}
          description={i18n._(asked.action.question)}
          foot={
            <div className="flex justify-end gap-2.5">
              <Button size="office" variant="outline" autoFocus onClick={() => setAsked(undefined)}>{t`Keep`}</Button>
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
    /** Begins with one row, or with several by their ids. */
    start(action: StatusAction, of: AnyRow | string[]) {
      const next = Array.isArray(of) ? { action, ids: of } : { action, ids: [String(of.id)], name: nameOf(of) };
      if (action.question) setAsked(next);
      else change.mutate(next);
    },
  };
}
