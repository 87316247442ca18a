import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call, type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { amount, count, dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { CopyPlus, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMayCall } from '../../access/admin-right.ts';
import { Question } from '../../record/question.tsx';
import { type Source, SourceFields } from './source.tsx';

type Template = Detail<'/api/admin/template/detail'>;

/** A template: its shop as it would open, what is in it, and its versions. */
export function TemplatePage() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const { data, error, isPending, refetch } = useQuery(query('/api/admin/template/detail', { id }));
  useTitle(t`Template`);
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      {isPending && <Skeleton className="h-96 rounded-office" />}
      {error && <Failure title={t`This did not load`} error={error} onRetry={() => void refetch()} />}
      {data && <OneTemplate of={data} />}
    </div>
  );
}

/** Puts an answer of the server where the page reads it, and has the list read anew. */
function useTake() {
  const client = useQueryClient();
  return (now: Template) => {
    client.setQueryData(query('/api/admin/template/detail', { id: now.id }).queryKey, now);
    return client.invalidateQueries({ queryKey: ['/api/admin/template/list'] });
  };
}

type Asked = 'version' | 'names' | 'offer';

function OneTemplate({ of }: { of: Template }) {
  const { t } = useLingui();
  const text = useTexts();
  const mayChange = useMayCall()('/api/admin/template/save');
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-3">
          <h1 className="text-h1-office font-semibold">{text(of, 'name')}</h1>
          {of.status === 5 ? (
            <Chip tone="ok">{t`Version ${of.version} is offered`}</Chip>
          ) : (
            <Chip tone="mute">{t`Not offered`}</Chip>
          )}
        </div>
        {mayChange && (
          <>
            <Button size="office" variant="outline" onClick={() => setAsked('offer')}>
              {of.status === 5 ? t`Offer it no longer` : t`Offer it`}
            </Button>
            <Button size="office" variant="outline" onClick={() => setAsked('names')}>
              <Pencil aria-hidden />
              {t`Rename`}
            </Button>
            <Button size="office" onClick={() => setAsked('version')}>
              <CopyPlus aria-hidden />
              {t`Make version ${of.version + 1}`}
            </Button>
          </>
        )}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[340px_1fr]">
        <Preview of={of} />
        <div className="grid gap-4">
          <Inside of={of} />
          <Versions of={of} />
          <Note tone="info" title={t`Open organisations stay as they are`}>
            {t`A new version is for those that are opened from then on. Packages are drafts there until their owner puts them on sale.`}
          </Note>
        </div>
      </div>
      <Dialog open={Boolean(asked)} onOpenChange={(open) => !open && close()}>
        {asked === 'version' && <MakeVersion of={of} onDone={close} />}
        {asked === 'names' && <Rename of={of} onDone={close} />}
        {asked === 'offer' && <OfferOrNot of={of} onDone={close} />}
      </Dialog>
    </>
  );
}

const shown = 6;

/** The market as it looks once all packages are on sale, without their pictures. */
function Preview({ of }: { of: Template }) {
  const { t } = useLingui();
  const more = of.content.packages.length - shown;
  const text = useTexts();
  return (
    <div className="mx-auto w-full max-w-[340px] overflow-clip rounded-[28px] border-[6px] border-foreground bg-background">
      <div
        className="border-b-[6px] px-4 py-6 text-lg font-semibold text-white"
        style={{ background: of.background_color_primary, borderColor: of.background_color_secondary }}
      >
        {t`The shop’s name`}
      </div>
      <ul className="grid gap-2 p-3" aria-label={t`Packages`}>
        {of.content.packages.slice(0, shown).map((one) => (
          <li
            key={`${one.name_th} ${one.price_satang}`}
            className="rounded-card bg-card p-3 shadow-[inset_0_0_0_1px_var(--line)]"
          >
            <p className="font-medium">{text(one, 'name')}</p>
            <p>
              <span className="font-semibold">{amount(one.price_satang)}</span>{' '}
              {one.list_price_satang !== null && (
                <s className="text-caption text-quiet">{amount(one.list_price_satang)}</s>
              )}
            </p>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="px-4 pb-4 text-caption text-quiet">{t`and ${count(more)} more`}</p>}
    </div>
  );
}

function Inside({ of }: { of: Template }) {
  const { t } = useLingui();
  const text = useTexts();
  const { packages, tags, questions, texts } = of.content;
  const pictures = packages.filter(({ picture }) => picture).length;
  const names = (list: { name_th: string; name_en: string }[]) =>
    list.map((one) => text(one, 'name')).join(' · ') || '–';
  return (
    <Section title={t`In the template`}>
      <dl className="grid gap-3">
        <Part
          title={t`${count(packages.length)} packages, as drafts`}
        >{t`${count(pictures)} of them with a picture`}</Part>
        <Part title={t`${count(tags.length)} tags`}>{names(tags)}</Part>
        <Part title={t`${count(questions.length)} questions`}>{names(questions)}</Part>
        <Part title={t`${count(texts.length)} texts to agree to`}>{names(texts)}</Part>
      </dl>
    </Section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{title}</dt>
      <dd className="text-caption text-quiet">{children}</dd>
    </div>
  );
}

function Versions({ of }: { of: Template }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Section title={t`Versions`}>
      <ol className="grid gap-3">
        {of.versions.map((one) => (
          <li key={one.number}>
            <p className="flex justify-between gap-3 font-medium">
              {t`Version ${one.number}`}{' '}
              <span className="text-caption font-normal text-quiet">{dateTime(one.made_at)}</span>
            </p>
            {one.note && <p>{one.note}</p>}
            <p className="text-caption text-quiet">
              {t`From ${text(one, 'from_name')} · ${one.made_by} · used by ${count(one.used)}`}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card office className="p-[18px]">
      <h2 className="mb-3 font-semibold">{title}</h2>
      {children}
    </Card>
  );
}

function MakeVersion({ of, onDone }: { of: Template; onDone: () => void }) {
  const { t } = useLingui();
  const take = useTake();
  const [source, setSource] = useState<Source>({ organisation: null, note: '' });
  const make = useMutation({
    mutationFn: (org: string) => call('/api/admin/template/version', { id: of.id, org_id: org, note: source.note }),
    onSuccess: async (now) => {
      await take(now);
      onDone();
    },
  });
  const { organisation } = source;
  return (
    <Question
      title={t`Make version ${of.version + 1}`}
      line={t`It has all of the organisation’s packages, tags, questions and texts as they are now, and nothing of the version before.`}
      button={make.isPending ? t`Copying…` : t`Make the version`}
      keep={t`Leave it`}
      disabled={!organisation}
      of={{ ...make, error: null }}
      onYes={() => organisation && make.mutate(organisation.id)}
      onDone={onDone}
    >
      <SourceFields source={source} missing={false} error={make.error} onChange={setSource} />
    </Question>
  );
}

/** Changes the names, or whether organisations can begin with it. */
function useSave(of: Template, onDone: () => void) {
  const take = useTake();
  return useMutation({
    mutationFn: (change: Partial<Pick<Template, 'name_th' | 'name_en'>> & { status?: 2 | 5 }) =>
      call('/api/admin/template/save', {
        id: of.id,
        updated_at: of.updated_at,
        name_th: of.name_th,
        name_en: of.name_en,
        status: of.status === 5 ? 5 : 2,
        ...change,
      }),
    onSuccess: async (now) => {
      await take(now);
      onDone();
    },
  });
}

function Rename({ of, onDone }: { of: Template; onDone: () => void }) {
  const { t } = useLingui();
  const save = useSave(of, onDone);
  const [names, setNames] = useState({ name_th: of.name_th, name_en: of.name_en });
  return (
    <Question
      title={t`Rename the template`}
      line={t`Organisations that began with it do not notice.`}
      button={t`Save`}
      keep={t`Leave it`}
      disabled={!names.name_th.trim() || !names.name_en.trim()}
      of={save}
      onYes={() => save.mutate(names)}
      onDone={onDone}
    >
      <Field label={t`Name in Thai`}>
        <Input
          size="office"
          maxLength={80}
          value={names.name_th}
          onChange={(event) => setNames({ ...names, name_th: event.target.value })}
        />
      </Field>
      <Field label={t`Name in English`}>
        <Input
          size="office"
          maxLength={80}
          value={names.name_en}
          onChange={(event) => setNames({ ...names, name_en: event.target.value })}
        />
      </Field>
    </Question>
  );
}

function OfferOrNot({ of, onDone }: { of: Template; onDone: () => void }) {
  const { t } = useLingui();
  const save = useSave(of, onDone);
  return of.status === 5 ? (
    <Question
      title={t`Offer this template no longer?`}
      line={t`No new organisation can begin with it. Those that did stay as they are.`}
      button={t`Offer it no longer`}
      of={save}
      onYes={() => save.mutate({ status: 2 })}
      onDone={onDone}
    />
  ) : (
    <Question
      title={t`Offer this template?`}
      line={t`New organisations can begin with its newest version.`}
      button={t`Offer it`}
      of={save}
      onYes={() => save.mutate({ status: 5 })}
      onDone={onDone}
    />
  );
}
