import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { dateTime } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { usePerson } from '../../access/person.ts';
import { InviteButton } from './invite.tsx';
import { useStates } from './states.ts';

/** Who administers the platform, and with which rights. */
export function AdminsPage() {
  const { t } = useLingui();
  useTitle(t`Administrators`);
  const { can } = usePerson();
  const list = useQuery(query('/api/admin/admin/list', {}));
  return (
    <div className="mx-auto w-full max-w-[1000px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="flex-1 text-h1-office font-semibold">{t`Administrators`}</h1>
        {can('admin', 'i') && <InviteButton />}
      </div>
      {list.isPending && <Skeleton className="h-40 rounded-office" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <Card office className="divide-y overflow-clip">
          {list.data.data.map((admin) => (
            <OneAdmin key={admin.id} admin={admin} />
          ))}
        </Card>
      )}
    </div>
  );
}

function OneAdmin({ admin }: { admin: Row<'/api/admin/admin/list'> }) {
  const { t } = useLingui();
  const states = useStates();
  const { signed_in_at, invited_until } = admin;
  const since = signed_in_at
    ? t`Signed in ${dateTime(signed_in_at)}`
    : invited_until
      ? t`The link is good until ${dateTime(invited_until)}`
      : t`Has not signed in yet`;
  return (
    <Link
      to="/advwsadmin/admin_edit/$id"
      params={{ id: admin.id }}
      className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-muted"
    >
      <Avatar src="" size={36} />
      <span className="min-w-0 flex-1 basis-44">
        <span className="block truncate font-medium">{admin.name}</span>
        <span className="block truncate text-caption text-quiet">
          {admin.username} · {since}
        </span>
      </span>
      {admin.role === 'superadmin' && <Chip tone="mute">{t`All rights`}</Chip>}
      <Chip tone={states[admin.state].tone}>{states[admin.state].title}</Chip>
    </Link>
  );
}
