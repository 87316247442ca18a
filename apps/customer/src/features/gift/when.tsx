import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { calendarDay, date } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Switch } from '@wlv/ui/switch';

/** A day and an hour in Bangkok. */
export interface Moment {
  day: string | null;
  hour: string;
}

/** How far ahead the server takes a gift. */
const daysAhead = 90;

const hours = Array.from({ length: 24 }, (_, hour) => {
  const value = String(hour).padStart(2, '0');
  return { value, label: `${value}:00` };
});

/** The moment as calls write it; none of what is no day. */
export function instantOf({ day, hour }: Moment) {
  return day && isDay(day) ? `${day}T${hour}:00:00+07:00` : undefined;
}

/** The last day for which a gift of what is valid until a day can be made. */
function lastOf(validUntil: string) {
  const far = calendarDay(Date.now() + daysAhead * 86_400_000);
  return validUntil < far ? validUntil : far;
}

/** Whether a gift of what is valid until a day can be made for a moment. */
export function isWithin(moment: Moment, validUntil: string) {
  const instant = instantOf(moment);
  return instant !== undefined && Date.parse(instant) > Date.now() && (moment.day ?? '') <= lastOf(validUntil);
}

/** Tomorrow morning, unless the voucher ends today: then the next hour. */
function firstMoment(validUntil: string): Moment {
  const tomorrow = calendarDay(Date.now() + 86_400_000);
  if (tomorrow <= validUntil) return { day: tomorrow, hour: '09' };
  const next = new Date(Date.now() + 3_600_000 + 7 * 3_600_000).toISOString();
  return { day: next.slice(0, 10), hour: next.slice(11, 13) };
}

interface Props {
  /** None: at once. */
  moment: Moment | undefined;
  onChange: (moment: Moment | undefined) => void;
  validUntil: string;
  /** It was sent, and cannot be. */
  wrong: boolean;
}

/** When the link opens: at once, or on a day and at an hour. */
export function When({ moment, onChange, validUntil, wrong }: Props) {
  const { t } = useLingui();
  const last = date(lastOf(validUntil));
  return (
    <Card className="grid grid-cols-1 gap-3 px-4 py-3.5">
      <div className="flex items-start gap-3">
        <label htmlFor="later" className="min-w-0 flex-1">
          <span className="block text-row font-medium">{t`Send it later`}</span>
          <span className="block text-caption text-quiet">
            {t`Choose a day and an hour. You get a message then, with the link to send; until then nobody can open it.`}
          </span>
        </label>
        <Switch
          id="later"
          checked={moment !== undefined}
          onCheckedChange={(later) => onChange(later ? firstMoment(validUntil) : undefined)}
        />
      </div>
      {moment && (
        <div className="grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] items-start gap-3">
          <Field label={t`Day`} error={wrong ? t`Choose a time from now until ${last}.` : undefined}>
            <DateInput name="day" value={moment.day} onChange={(day) => onChange({ ...moment, day })} />
          </Field>
          <Field label={t`Hour`}>
            <Select value={moment.hour} options={hours} onChange={(hour) => onChange({ ...moment, hour })} />
          </Field>
        </div>
      )}
    </Card>
  );
}
