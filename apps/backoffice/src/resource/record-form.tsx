import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DrawerContent } from '@wlv/ui/drawer';
import { dateTime } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { Check, CircleDot } from 'lucide-react';
import { type ComponentType, useRef } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { usePerson } from '../access/person.ts';
import { FormPathContext } from '../form/fields.tsx';
import { LeaveQuestion } from '../form/leave-question.tsx';
import { useOfficeForm } from '../form/office-form.ts';
import { savePath, saveRecord } from './calls.ts';
import { useName } from './names.ts';
import type { AnyResource, AnyRow, EditableTable, EditorProps, Form } from './resource.ts';
import { useStatusChange } from './status-change.tsx';
import { StatusChip } from './status-chip.tsx';

type Values = Record<string, unknown>;

/** Adds a record or changes one: what the server keeps read-only is not sent back to it. */
export function RecordForm({
  resource,
  form: { fields: Fields, fresh, check, preview: Preview },
  record,
  onClose,
  onReload,
}: EditorProps & {
  // biome-ignore lint/suspicious/noExplicitAny: the values are of the resource's own type; see AnyResource
  form: Form<any>;
}) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const table = resource.table as EditableTable;
  const leaving = useRef(false);
  const { form, changed, saving, error, submit } = useOfficeForm<Values, AnyRow>({
    limits: savePath(table),
    values: record ? own(fresh, record) : fresh,
    check,
    send: (values) => saveRecord(table, record ? { ...values, id: record.id, updated_at: record.updated_at } : values),
    onSaved: () => {
      leaving.current = true;
      toast({ tone: 'ok', title: t`Saved` });
      void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith(`/${table}`) });
      onClose();
    },
  });
  const one = i18n._(resource.one);
  const id = record && String(record.id);
  const Extra = resource.extra;

  return (
    <FormProvider {...form}>
      <FormPathContext value={savePath(table)}>
        <DrawerContent
          title={record ? t`Edit ${one}` : t`Add ${one}`}
          meta={record && <Meta resource={resource} record={record} />}
          note={<Unsaved changed={changed} />}
          aside={Preview && <WatchedPreview preview={Preview} id={id} />}
          onInteractOutside={(event) => event.preventDefault()}
          foot={
            <>
              <span className="min-w-0 flex-1 text-caption text-quiet max-sm:sr-only">
                {record?.updated_at && t`Last changed ${dateTime(record.updated_at)}`}
              </span>
              {record && <Publish resource={resource} record={record} changed={changed} />}
              <Button variant="ghost" size="office" onClick={onClose}>
                {changed ? t`Discard changes` : t`Close`}
              </Button>
              <Button size="office" disabled={saving || (record && !changed)} onClick={() => void submit()}>
                <Check aria-hidden />
                {saving ? t`Saving…` : t`Save`}
              </Button>
            </>
          }
        >
          <form
            noValidate
            className="grid grid-cols-1 gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <SaveFault error={error} onReload={onReload} />
            {Extra && record && !changed && (
              <div>
                <Extra record={record} />
              </div>
            )}
            <Fields fresh={!record} id={id} />
            <button type="submit" hidden />
          </form>
        </DrawerContent>
        <LeaveQuestion changed={changed} leaving={leaving} />
      </FormPathContext>
    </FormProvider>
  );
}

/** How much is not saved yet, at the right of the head. */
export function Unsaved({ changed }: { changed: number }) {
  const { t } = useLingui();
  if (!changed) return null;
  return (
    <span className="flex items-center gap-[7px] font-medium text-warn-text max-sm:sr-only">
      <CircleDot aria-hidden className="size-4" />
      {t`${changed} changes, not saved`}
    </span>
  );
}

/** Why it was not saved. A record that somebody else has changed meanwhile can be read anew. */
export function SaveFault({ error, onReload }: { error: Error | null; onReload: (() => void) | undefined }) {
  const { t } = useLingui();
  return (
    <FaultNote error={error}>
      {isFault(error, 'resource.changed_meanwhile') && onReload && (
        <Button variant="outline" size="row" className="mt-2" onClick={onReload}>{t`Show the newest`}</Button>
      )}
    </FaultNote>
  );
}

/** Only what the form is about: a new record's fields, as this one has them. */
export function own(fresh: Values, record: AnyRow): Values {
  return Object.fromEntries(Object.keys(fresh).map((name) => [name, record[name] ?? fresh[name]]));
}

export function Meta({ resource, record }: { resource: AnyResource; record: AnyRow }) {
  const name = useName(resource)(record);
  return (
    <>
      <span className="max-w-[28ch] truncate text-quiet">{resource.code?.(record) ?? name}</span>
      <StatusChip resource={resource} row={record} />
    </>
  );
}

/** On sale or off it, active or not: the one of the two that is not so now. Unsaved changes come first. */
export function Publish({ resource, record, changed }: { resource: AnyResource; record: AnyRow; changed: number }) {
  const { i18n } = useLingui();
  const { can } = usePerson();
  const { start, question, pending } = useStatusChange(resource);
  const wanted = record.status === 5 ? 2 : 5;
  const action = resource.actions?.find(({ status }) => status === wanted);
  if (!action || !can(resource.module, 's')) return null;
  const Icon = action.icon;
  return (
    <>
      <Button variant="outline" size="office" disabled={pending || changed > 0} onClick={() => start(action, record)}>
        <Icon aria-hidden />
        {i18n._(action.title)}
      </Button>
      {question}
    </>
  );
}

export function WatchedPreview({
  preview: Preview,
  id,
}: {
  preview: ComponentType<{ values: Values; id?: string | undefined }>;
  id?: string | undefined;
}) {
  return <Preview values={useWatch() as Values} id={id} />;
}
