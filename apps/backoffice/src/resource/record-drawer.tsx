import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Failure } from '@wlv/client/failure';
import { Drawer, DrawerContent } from '@wlv/ui/drawer';
import { Skeleton } from '@wlv/ui/skeleton';
import { usePerson } from '../access/person.ts';
import { recordQuery } from './calls.ts';
import { Facts } from './facts.tsx';
import { useName } from './names.ts';
import { RecordForm } from './record-form.tsx';
import { type AnyResource, type AnyRow, type EditorProps, isEditable } from './resource.ts';
import { StatusChip } from './status-chip.tsx';

/** One record over its list; `new` is a form for one that is not there yet. Closing goes back to the list as it was. */
export function RecordDrawer({ resource, id }: { resource: AnyResource; id: string }) {
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: '/owner/$screen',
      params: { screen: resource.path },
      search: (now: object) => now,
      resetScroll: false,
    } as never);
  return (
    <Drawer open onOpenChange={(open) => !open && close()}>
      {id === 'new' && isEditable(resource) ? (
        <RecordEditor resource={resource} onClose={close} />
      ) : (
        <ExistingRecord resource={resource} id={id} onClose={close} />
      )}
    </Drawer>
  );
}

function ExistingRecord({ resource, id, onClose }: { resource: AnyResource; id: string; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  // What somebody is changing must not change under his hands.
  const record = useQuery({ ...recordQuery(resource.table, id), refetchOnWindowFocus: false, gcTime: 0 });
  if (record.isError) {
    return (
      <DrawerContent title={i18n._(resource.title)}>
        <Failure title={t`This did not load`} error={record.error} onRetry={() => void record.refetch()} />
      </DrawerContent>
    );
  }
  if (record.isPending) {
    return (
      <DrawerContent title={<Skeleton className="my-1 h-5 w-52" />}>
        <div role="status" aria-label={t`Loading…`} className="grid gap-4">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-32" />
        </div>
      </DrawerContent>
    );
  }
  if (isEditable(resource) && can(resource.module, 'u') && !resource.fixed?.(record.data)) {
    return (
      <RecordEditor
        key={record.data.updated_at}
        resource={resource}
        record={record.data}
        onClose={onClose}
        onReload={() => void record.refetch()}
      />
    );
  }
  return <ReadOnly resource={resource} record={record.data} />;
}

/** The form of a resource in its drawer, or the drawer that the resource has of its own. */
function RecordEditor(props: EditorProps) {
  const { form, editor: Editor } = props.resource;
  if (Editor) return <Editor {...props} />;
  return form && <RecordForm {...props} form={form} />;
}

/** A record that nobody edits here, or not this person. */
function ReadOnly({ resource, record }: { resource: AnyResource; record: AnyRow }) {
  const { i18n } = useLingui();
  const name = useName(resource)(record);
  const Own = resource.facts;
  const Extra = resource.extra;
  return (
    <DrawerContent
      title={name}
      meta={
        <>
          <span className="text-quiet">{resource.code?.(record)}</span>
          <StatusChip resource={resource} row={record} />
        </>
      }
      {...(Extra ? { foot: <Extra record={record} /> } : {})}
    >
      {Own ? (
        <Own record={record} />
      ) : (
        <Facts of={resource.columns.map(({ title, cell: Cell }) => [i18n._(title), <Cell row={record} />])} />
      )}
    </DrawerContent>
  );
}
