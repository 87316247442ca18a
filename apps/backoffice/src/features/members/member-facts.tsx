import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { count, date } from '@wlv/ui/format';
import { Facts } from '../../resource/facts.tsx';
import type { RecordOf } from '../../resource/resource.ts';

/** What the office reads of one member. */
export function MemberFacts({ record }: { record: RecordOf<'memberlist'> }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Facts
      of={[
        [t`Number`, record.number],
        [t`Name`, record.name],
        [t`Card type`, text(record, 'type_name')],
        [t`Member since`, date(record.since)],
        [t`Valid until`, record.ends_on ? date(record.ends_on) : t`No end`],
        [t`Points`, record.points ? count(record.points) : t`None`],
        [t`Mobile number`, t`ends in ${record.mobile_digits}`],
      ]}
    />
  );
}
