import { dateTime } from '@wlv/ui/format';
import { RecordLink } from './record-link.tsx';

/** Whose a record is and when it was made: the line under its head. */
export function WhoAndWhen({ customer, name, at }: { customer: string | null; name: string; at: string }) {
  return (
    <>
      <RecordLink table="customer" id={customer}>
        {name || '–'}
      </RecordLink>
      <span aria-hidden>·</span>
      {dateTime(at)}
    </>
  );
}
