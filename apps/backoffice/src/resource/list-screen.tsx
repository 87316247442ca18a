import { Plural, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { count } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { usePerson } from '../access/person.ts';
import { listQuery } from './calls.ts';
import { ExportButton } from './export-button.tsx';
import { ListCards } from './list-cards.tsx';
import { ListTable } from './list-table.tsx';
import { countedUpTo, foundUpTo, type Listing, useListing } from './listing.ts';
import { Paging } from './paging.tsx';
import { type AnyResource, isEditable } from './resource.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Toolbar } from './toolbar.tsx';

export function ListScreen({ resource }: { resource: AnyResource }) {
  const { t, i18n } = useLingui();
  const title = i18n._(resource.title);
  useTitle(title);
  const listing = useListing(resource);
  const list = useQuery({ ...listQuery(resource.table, listing.body), placeholderData: keepPreviousData });
  const rows = list.data?.data ?? [];
  const { beside: Beside, aside: Aside, many: Many } = resource;

  return (
    <>
      <div className="mb-3.5 flex flex-wrap items-center gap-x-3 gap-y-2.5 max-sm:mb-2">
        <div className="flex min-w-0 grow basis-0 flex-wrap items-baseline gap-x-3 max-sm:basis-20">
          <h1 className="text-h1-office font-semibold max-sm:sr-only">{title}</h1>
          <p role="status" className="text-quiet">
            {list.data && <Total resource={resource} listing={listing} total={list.data.total} />}
          </p>
        </div>
        <ExportButton resource={resource} body={listing.body} />
        {Many && rows.length > 0 && !listing.selected.length && <Many of={{ ...listing.body, selected: [] }} />}
        {Beside && <Beside />}
        <AddButton resource={resource} />
      </div>
      <Views resource={resource} listing={listing} />
      <div className={clsx(Aside && 'grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_316px]')}>
        {Aside && (
          <div className="grid grid-cols-1 content-start gap-4 sm:grid-cols-2 xl:col-start-2 xl:row-start-1 xl:grid-cols-1">
            <Aside />
          </div>
        )}
        <div className="min-w-0 xl:col-start-1 xl:row-start-1">
          <Toolbar resource={resource} listing={listing} />
          {list.isError ? (
            <Card office>
              <Failure title={t`The list did not load`} error={list.error} onRetry={() => void list.refetch()} />
            </Card>
          ) : (
            <Card office className={clsx('overflow-clip', list.isPlaceholderData && 'opacity-60')}>
              {list.isPending ? (
                <ListSkeleton />
              ) : rows.length ? (
                <>
                  <ListTable resource={resource} listing={listing} rows={rows} />
                  <ListCards resource={resource} listing={listing} rows={rows} />
                </>
              ) : (
                <Nothing resource={resource} listing={listing} />
              )}
              {list.data && rows.length > 0 && (
                <Paging
                  listing={listing}
                  shown={rows.length}
                  next={list.data.next}
                  total={list.data.total}
                  at={list.dataUpdatedAt}
                />
              )}
            </Card>
          )}
        </div>
      </div>
      <SelectionBar resource={resource} listing={listing} />
    </>
  );
}

function Total({ resource, listing, total }: { resource: AnyResource; listing: Listing; total: number }) {
  const { t } = useLingui();
  if (total > countedUpTo) return t`About ${count(total)} items`;
  if (resource.grows && listing.body.search && total >= foundUpTo)
    return t`${count(total)} items found, there may be more: type more of it`;
  return <Plural value={total} one="# item" other="# items" />;
}

function AddButton({ resource }: { resource: AnyResource }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  if (!isEditable(resource) || !can(resource.module, 'i')) return null;
  return (
    <Button asChild size="office">
      <Link to="/owner/$screen/$id" params={{ screen: resource.path, id: 'new' }} search={(now) => now}>
        <Plus aria-hidden />
        {t`Add ${i18n._(resource.one)}`}
      </Link>
    </Button>
  );
}

/** Filters under a name, each with how many it holds. */
export function Views({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { i18n } = useLingui();
  const { views } = resource;
  if (!views) return null;
  const active = Number(listing.params.view) || 0;
  return (
    <div role="group" className="no-scrollbar mb-3.5 flex gap-5 overflow-x-auto shadow-[inset_0_-1px_0_var(--line)]">
      {views.map((view, i) => (
        <button
          key={i18n._(view.title)}
          type="button"
          aria-pressed={i === active}
          onClick={() => listing.narrow({ view: i ? String(i) : undefined })}
          className={clsx(
            'flex h-[42px] shrink-0 items-center gap-[7px] font-medium',
            i === active
              ? 'text-brand-text shadow-[inset_0_-2px_0_var(--brand-mark)]'
              : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {i18n._(view.title)}
          <ViewCount resource={resource} filter={view.filter} />
        </button>
      ))}
    </div>
  );
}

function ViewCount({ resource, filter }: { resource: AnyResource; filter: Record<string, unknown> }) {
  const { data } = useQuery({
    ...listQuery(resource.table, { filter, select: ['id'], limit: 1 }),
    staleTime: 60_000,
  });
  return (
    <span className="text-caption">{data ? `${data.total > countedUpTo ? '~' : ''}${count(data.total)}` : ''}</span>
  );
}

function ListSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <div className="h-[42px] bg-muted max-sm:hidden" />
      {Array.from({ length: 8 }, (_, i) => (
        <div key={i} className="flex h-[58px] items-center gap-6 px-[18px] shadow-[inset_0_-1px_0_var(--line)]">
          <Skeleton className="h-10 w-12 shrink-0" />
          <Skeleton className="h-4 w-56 max-w-full" />
          <Skeleton className="ml-auto h-4 w-20 max-sm:hidden" />
          <Skeleton className="h-4 w-28 max-sm:hidden" />
          <Skeleton className="h-[26px] w-20" />
        </div>
      ))}
    </div>
  );
}

/** Nothing at all yet, nothing in this tab, or nothing that fits what was asked. */
function Nothing({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t, i18n } = useLingui();
  const { params } = listing;
  const filtered = (resource.filters ?? []).some(({ name }) => params[name]);
  const view = resource.views?.[Number(params.view)];
  if (!listing.body.search && !filtered) {
    if (!view?.empty) {
      const { title, line, action: Action } = resource.empty;
      return <EmptyState title={i18n._(title)} line={i18n._(line)} action={Action && <Action />} />;
    }
    return (
      <EmptyState
        title={i18n._(view.empty)}
        line={t`Look in another tab, or at everything.`}
        action={<Widen listing={listing} resource={resource} />}
      />
    );
  }
  return (
    <EmptyState
      title={t`Nothing fits`}
      line={filtered ? t`Try taking one of the filters away.` : t`Try a shorter word.`}
      action={<Widen listing={listing} resource={resource} />}
    />
  );
}

/** Takes away everything that the list is narrowed by. */
function Widen({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t } = useLingui();
  return (
    <Button
      variant="outline"
      size="office"
      onClick={() =>
        listing.narrow({
          q: undefined,
          view: undefined,
          ...Object.fromEntries((resource.filters ?? []).map(({ name }) => [name, undefined])),
        })
      }
    >{t`Show everything`}</Button>
  );
}
