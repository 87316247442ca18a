import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { dateTime } from '@wlv/ui/format';
import { actions, actors } from '../../record/log-words.ts';
import { RecordCard } from '../../record/record-frame.tsx';

type LogLine = NonNullable<Detail<'/api/admin/organize/record'>['log']>[number];

/** Who changed what of an organisation, the latest first. */
export function LogCard({ log }: { log: LogLine[] }) {
  const { t, i18n } = useLingui();
  return (
    <RecordCard title={t`Changes`}>
      {log.length === 0 && <p className="text-quiet">{t`Nothing was changed yet.`}</p>}
      <ol className="grid gap-3">
        {log.map((line) => {
          const action = actions[line.action];
          const actor = actors[line.actor_kind];
          return (
            <li key={line.id} className="min-w-0">
              <p className="font-medium">{action ? i18n._(action) : line.action}</p>
              <p className="text-caption text-quiet">
                {line.actor_name || (actor ? i18n._(actor) : line.actor_kind)} · {dateTime(line.at)}
              </p>
              {(line.changes ?? []).map(({ field, before, after }) => (
                <p key={field} className="truncate text-caption text-muted-foreground" title={`${before} → ${after}`}>
                  {field}: {before || '–'} → {after || '–'}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </RecordCard>
  );
}
