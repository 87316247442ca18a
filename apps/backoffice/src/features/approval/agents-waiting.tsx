import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '@wlv/client/call';
import { Avatar } from '@wlv/ui/avatar';
import { Card } from '@wlv/ui/card';
import { dateTime } from '@wlv/ui/format';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { usePerson } from '../../access/person.ts';

/** Forms of agents that wait: they are decided on in the record of each. */
export function AgentsWaiting() {
  const { t } = useLingui();
  const { can } = usePerson();
  const waiting = useQuery({ ...query('/api/owner/agent/waiting', {}), enabled: can('agent', 'v') });
  const list = waiting.data?.data ?? [];
  if (!list.length) return null;
  return (
    <Card office className="px-[18px] py-4">
      <h2 className="mb-1.5 text-base font-semibold">{t`Agents who wait for you`}</h2>
      <ul className="divide-y">
        {list.map((one) => {
          const doubtful = one.mismatch || one.same.length > 0;
          return (
            <li key={one.version_id} className="flex gap-3 py-2.5">
              <Avatar src={one.pictureUrl} size={36} />
              <div className="min-w-0 flex-1">
                <Link
                  to="/owner/$screen/$id"
                  params={{ screen: 'agentlist', id: one.agent_id }}
                  className="font-medium text-brand-text"
                >
                  {one.name}
                </Link>
                <p className="text-caption text-quiet">
                  {[
                    one.first ? t`Applies to sell` : t`Sends other details`,
                    one.district,
                    one.recruiter_name && t`recruited by ${one.recruiter_name}`,
                    dateTime(one.sent_at),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
                <p
                  className={
                    doubtful
                      ? 'flex items-center gap-1.5 text-caption text-bad-text'
                      : 'flex items-center gap-1.5 text-caption text-ok-text'
                  }
                >
                  {doubtful ? (
                    <CircleAlert aria-hidden className="size-4" />
                  ) : (
                    <CircleCheck aria-hidden className="size-4" />
                  )}
                  {one.same.length
                    ? t`Another agent has the same`
                    : one.mismatch
                      ? t`Something does not fit`
                      : t`Everything fits`}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
