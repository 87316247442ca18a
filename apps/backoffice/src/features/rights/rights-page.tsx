import { Plural, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { toast } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { ChevronRight, Lock, Pencil, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { countOf, differences, type Letter, moduleGroups, type Rights, toggle } from '../../access/modules.ts';
import { usePerson } from '../../access/person.ts';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { Matrix } from './matrix.tsx';

type PermissionSet = Row<'/api/owner/get/permission'>;

/** Rights are given in sets; each account of role user has one. Sets at the left, what the chosen one may at the right. */
export function RightsPage({ id }: { id?: string | undefined }) {
  const { t } = useLingui();
  useTitle(t`Permission sets`);
  const { can } = usePerson();
  const navigate = useNavigate();
  const [naming, setNaming] = useState<'new' | 'old' | undefined>(
    id === 'new' && can('permission', 'i') ? 'new' : undefined,
  );
  const closeNaming = () => {
    setNaming(undefined);
    if (id === 'new') void navigate({ to: '/owner/$screen', params: { screen: 'permissionlist' }, replace: true });
  };
  const sets = useQuery(query('/api/owner/get/permission', { sort: '-people', limit: 200 }));
  if (sets.isError) {
    return <Failure title={t`Permission sets did not load`} error={sets.error} onRetry={() => void sets.refetch()} />;
  }
  if (sets.isPending) return <Skeleton className="h-96 rounded-office" />;

  const all = sets.data.data;
  const chosen = all.find((set) => set.id === id) ?? all[0];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <h1 className="text-h1-office font-semibold">{t`Permission sets`}</h1>
          <p className="text-muted-foreground">{t`Give rights in sets, then choose one for each person.`}</p>
        </div>
        {chosen && can('permission', 'u') && (
          <Button variant="outline" size="office" onClick={() => setNaming('old')}>
            <Pencil aria-hidden />
            {t`Rename`}
          </Button>
        )}
        {can('permission', 'i') && (
          <Button size="office" onClick={() => setNaming('new')}>
            <Plus aria-hidden />
            {t`Make a set`}
          </Button>
        )}
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[268px_1fr]">
        <Sets sets={all} chosen={chosen?.id} />
        {chosen ? (
          <SetRights key={`${chosen.id} ${chosen.updated_at}`} set={chosen} />
        ) : (
          <Card office>
            <EmptyState title={t`No set yet`} line={t`Make one for the people at the counter: they need one right.`} />
          </Card>
        )}
      </div>
      {naming && <NameDialog {...(naming === 'old' && chosen ? { set: chosen } : {})} onClose={closeNaming} />}
    </>
  );
}

function Sets({ sets, chosen }: { sets: PermissionSet[]; chosen: string | undefined }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Card office className="p-2">
      <ul className="grid gap-0.5">
        {sets.map((set) => (
          <li key={set.id}>
            <Link
              to="/owner/$screen/$id"
              params={{ screen: 'permissionlist', id: set.id ?? '' }}
              aria-current={set.id === chosen ? 'true' : undefined}
              className={clsx(
                'flex items-center gap-2 rounded-control px-3 py-2.5',
                set.id === chosen ? 'bg-accent' : 'hover:bg-muted',
              )}
            >
              <span className="min-w-0 flex-1">
                <span className={clsx('block truncate font-medium', set.id === chosen && 'text-accent-foreground')}>
                  {text(set, 'name')}
                </span>
                <span className="block text-caption text-quiet">
                  <Plural value={set.people ?? 0} one="# person" other="# people" />
                  {' · '}
                  <Plural value={countOf(set.modules ?? {})} one="# right" other="# rights" />
                </span>
              </span>
              {set.id === chosen && <ChevronRight aria-hidden className="size-4 text-accent-foreground" />}
            </Link>
          </li>
        ))}
      </ul>
      <div className="mx-2 mt-2 flex items-center gap-3 border-t px-1 py-3">
        <Lock aria-hidden className="size-[18px] shrink-0 text-quiet" />
        <div>
          <p className="font-medium">{t`Owner and administrators`}</p>
          <p className="text-caption text-quiet">{t`May do everything; this can't be changed`}</p>
        </div>
      </div>
    </Card>
  );
}

function saveSet(set: Partial<PermissionSet>, change: { name_th?: string; name_en?: string; modules?: Rights }) {
  return call('/api/owner/save/permission', {
    ...(set.id ? { id: set.id, updated_at: set.updated_at } : {}),
    name_th: set.name_th ?? '',
    name_en: set.name_en ?? '',
    modules: set.modules ?? {},
    ...change,
  });
}

function useSaveSet(set: Partial<PermissionSet>) {
  const { t } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Parameters<typeof saveSet>[1]) => saveSet(set, change),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`Saved` });
      // One's own rights may be among them.
      void client.invalidateQueries({ queryKey: ['person'] });
      return client.invalidateQueries({ queryKey: ['/api/owner/get/permission'] });
    },
  });
}

/** Thirty-six modules by four letters; nothing is given before it is saved, and what it would change is summed up. */
function SetRights({ set }: { set: PermissionSet }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const before: Rights = set.modules ?? {};
  const [rights, setRights] = useState(before);
  const save = useSaveSet(set);
  const changes = differences(before, rights);
  const locked = !can('permission', 'u') || save.isPending;
  const without = Object.fromEntries(Object.entries(rights).filter(([, has]) => has.length > 0));

  return (
    <>
      <Card office className="overflow-clip">
        <h2 className="px-5 py-4 text-h2 font-semibold">{text(set, 'name')}</h2>
        <FaultNote error={save.error} className="mx-5 mb-4" />
        <Matrix
          before={before}
          rights={rights}
          locked={locked}
          onToggle={(module: string, letter: Letter) => setRights(toggle(rights, module, letter))}
        />
      </Card>
      {changes.length > 0 && (
        <div
          role="region"
          aria-label={t`Changes`}
          className="sticky bottom-4 z-10 col-span-full flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 rounded-office bg-foreground px-5 py-2.5 text-background shadow-float"
        >
          <p className="font-medium">{t`${changes.length} changes`}</p>
          <p className="min-w-0 flex-1 truncate text-caption">
            <Summary changes={changes} />
            {' · '}
            {t`acts at once for`} <Plural value={set.people ?? 0} one="# person" other="# people" />
          </p>
          <button type="button" className="h-10 px-3 font-medium" onClick={() => setRights(before)}>
            {t`Discard changes`}
          </button>
          <button
            type="button"
            disabled={locked}
            onClick={() => save.mutate({ modules: without })}
            className="h-10 rounded-control bg-background px-4 font-semibold text-foreground"
          >
            {save.isPending ? t`Saving…` : t`Save rights`}
          </button>
        </div>
      )}
      <LeaveQuestion changed={changes.length} />
    </>
  );
}

function Summary({ changes }: { changes: ReturnType<typeof differences> }) {
  const { t } = useLingui();
  const text = useTexts();
  const verbs: Record<Letter, string> = { v: t`see`, i: t`add`, u: t`change`, s: t`change the state of` };
  const names = new Map<string, string>(
    moduleGroups.flatMap((group) => group.modules.map((one) => [one.module, text(one, 'name')] as const)),
  );
  return changes
    .map(({ module, letter, given }) => `${given ? '+' : '−'} ${verbs[letter]} ${names.get(module) ?? module}`)
    .join('  ');
}

function NameDialog({ set, onClose }: { set?: PermissionSet; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [thai, setThai] = useState(set?.name_th ?? '');
  const [english, setEnglish] = useState(set?.name_en ?? '');
  const [asked, setAsked] = useState(false);
  const save = useSaveSet(set ?? {});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!thai.trim() || save.isPending) return;
    save.mutate(
      { name_th: thai.trim(), name_en: english.trim() },
      {
        onSuccess: ({ id }) => {
          onClose();
          void navigate({ to: '/owner/$screen/$id', params: { screen: 'permissionlist', id: id ?? '' } });
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={set ? t`Rename the set` : t`Make a set`}
        foot={
          <div className="flex justify-end gap-2.5">
            <Button size="office" variant="outline" onClick={onClose}>{t`Cancel`}</Button>
            <Button size="office" type="submit" form="set-name" disabled={save.isPending}>{t`Save`}</Button>
          </div>
        }
      >
        <form id="set-name" noValidate className="grid gap-4" onSubmit={submit}>
          <Field label={t`Name in Thai`} error={asked && !thai.trim() ? t`Enter a name.` : undefined}>
            <Input size="office" maxLength={60} value={thai} onChange={(event) => setThai(event.target.value)} />
          </Field>
          <Field label={t`Name in English`}>
            <Input size="office" maxLength={60} value={english} onChange={(event) => setEnglish(event.target.value)} />
          </Field>
          <FaultNote error={save.error} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
