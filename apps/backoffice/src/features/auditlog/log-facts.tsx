import { useLingui } from '@lingui/react/macro';
import { dateTime } from '@wlv/ui/format';
import { resources } from '../../navigation.ts';
import { accounts, objects, officeActions } from '../../record/log-words.ts';
import { RecordLink } from '../../record/record-link.tsx';
import { Facts } from '../../resource/facts.tsx';
import type { RecordOf } from '../../resource/resource.ts';
import { Changes } from './changes.tsx';

/** A line of the audit log: who, when, of what, and what it was before and after. */
export default function LogFacts({ record }: { record: RecordOf<'auditlog'> }) {
  const { t, i18n } = useLingui();
  const { actor_kind = '', actor_name, action = '', object = '', about = '', at, changes } = record;
  const word = objects[object];
  const noun = word ? i18n._(word) : object;
  const does = officeActions[action];
  const kind = accounts[actor_kind];
  const table = resources.find((one) => one.table === object)?.table;
  const facts = [
    [t`When`, at && dateTime(at)],
    [t`Who`, actor_name || (kind ? i18n._(kind) : actor_kind)],
    [t`What was done`, does ? i18n._(does) : action],
    [
      t`Of what`,
      table && about ? (
        <RecordLink table={table} id={about}>
          {noun}
        </RecordLink>
      ) : (
        noun
      ),
    ],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Facts of={facts} />
      <Changes of={changes ?? []} />
      {about && <p className="break-all text-caption text-quiet">{about}</p>}
    </div>
  );
}
