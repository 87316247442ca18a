import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { count } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { CopyPlus } from 'lucide-react';
import { useMayCall } from '../../access/admin-right.ts';

type Template = Row<'/api/admin/template/list'>;

/** What new organisations can begin with. */
export function TemplatesPage() {
  const { t } = useLingui();
  useTitle(t`Templates`);
  const mayAdd = useMayCall()('/api/admin/template/add');
  const { data, error, isPending, refetch } = useQuery(query('/api/admin/template/list', {}));
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-h1-office font-semibold">{t`Templates`}</h1>
          <p className="text-quiet">{t`A new organisation can begin with one. Those that are open do not change when a template does.`}</p>
        </div>
        {mayAdd && (
          <Button asChild size="office">
            <Link to="/advwsadmin/template_add">
              <CopyPlus aria-hidden />
              {t`Make from an organisation`}
            </Link>
          </Button>
        )}
      </div>
      {isPending && <Skeleton className="h-96 rounded-office" />}
      {error && <Failure title={t`This did not load`} error={error} onRetry={() => void refetch()} />}
      {data &&
        (data.data.length > 0 ? (
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {data.data.map((one) => (
              <li key={one.id}>
                <TemplateCard of={one} />
              </li>
            ))}
          </ul>
        ) : (
          <Card office>
            <EmptyState
              title={t`No template yet`}
              line={t`Make one from an organisation that is set up well: nothing of its customers or its money comes along.`}
            />
          </Card>
        ))}
    </div>
  );
}

function TemplateCard({ of }: { of: Template }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Link to="/advwsadmin/template_edit/$id" params={{ id: of.id }} className="block rounded-office">
      <Card office className="overflow-clip">
        <div aria-hidden className="flex h-20">
          <span className="flex-[3]" style={{ background: of.background_color_primary }} />
          <span className="flex-1" style={{ background: of.background_color_secondary }} />
        </div>
        <div className="grid gap-1 p-[18px]">
          <p className="flex flex-wrap items-center justify-between gap-2 font-semibold">
            {text(of, 'name')}
            {of.status === 5 ? (
              <span className="text-caption font-normal text-quiet">{t`Version ${of.version}`}</span>
            ) : (
              <Chip tone="mute">{t`Not offered`}</Chip>
            )}
          </p>
          <p className="text-caption text-quiet">{t`${count(of.packages)} packages · ${count(of.tags)} tags`}</p>
          <p className="text-caption text-quiet">{t`${count(of.questions)} questions · ${count(of.texts)} texts to agree to`}</p>
          <p className="text-caption text-quiet">{t`${count(of.used)} organisations began with it`}</p>
        </div>
      </Card>
    </Link>
  );
}
