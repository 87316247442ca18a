import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { date } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Switch } from '@wlv/ui/switch';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import { payoutModule, type RunKind, runKinds } from './payout-states.ts';
import { Outcome, type PayoutSettings, type Schedule } from './schedule-outcome.tsx';

type Every = Schedule['every'];

/** The last day of a month, as the server has it. */
const last = 31;
/** A Monday; weekdays are named from it. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** What the days of a rhythm are called. */
function useDayName() {
  const { t, i18n } = useLingui();
  const weekday = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'UTC' });
  return (every: Every, day: number) => {
    if (every === 'week') return weekday.format(monday + (day - 1) * dayMs);
    return day === last ? t`The last day` : t`Day ${day}`;
  };
}

/** When runs are drafted by themselves, and what became of it the last time. */
export function Schedules({ schedules, onSaved }: { schedules: Schedule[]; onSaved: (now: PayoutSettings) => void }) {
  const { t } = useLingui();
  const { can } = usePerson();
  return (
    <RecordCard
      title={t`Drafted by itself`}
      beside={can(payoutModule, 'i') ? <AddSchedule onSaved={onSaved} /> : undefined}
    >
      <p className="mb-2 text-muted-foreground">
        {t`Early in the morning of each such day a run is drafted, of what could be paid by the end of the day before. Its pay day is the second bank day after.`}
      </p>
      {schedules.length === 0 && <p className="text-quiet">{t`None yet: each run is drafted by hand.`}</p>}
      <ul className="divide-y">
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} onSaved={onSaved} />
        ))}
      </ul>
    </RecordCard>
  );
}

function ScheduleRow({ schedule, onSaved }: { schedule: Schedule; onSaved: (now: PayoutSettings) => void }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const dayName = useDayName();
  const { kind, every, day, active } = schedule;
  const pays = i18n._(runKinds[kind]);
  const of = dayName(every, day);
  const name = every === 'week' ? t`Every week: ${of}` : t`Every month: ${of}`;
  const turn = useMutation({
    mutationFn: (active: boolean) => call('/api/owner/payoutschedule/switch', { id: schedule.id, active }),
    onSuccess: onSaved,
  });
  return (
    <li className="py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{name}</p>
          <p className="text-caption text-quiet">
            <span>{pays}</span> · <span>{nextLine()}</span>
          </p>
        </div>
        {can(payoutModule, 'i') ? (
          <Switch
            aria-label={[name, pays].join(', ')}
            checked={active}
            disabled={turn.isPending}
            onCheckedChange={(next) => turn.mutate(next)}
          />
        ) : (
          <Chip tone={active ? 'ok' : 'mute'}>{active ? t`On` : t`Off`}</Chip>
        )}
      </div>
      <Outcome schedule={schedule} />
      <FaultNote error={turn.error} className="mt-2" />
    </li>
  );

  function nextLine() {
    if (!schedule.next_on) return t`Switched off: nothing is drafted by it.`;
    const on = date(schedule.next_on);
    if (!schedule.next_pay_day) return t`Next ${on}. Its pay day is not known yet: the banks' holidays are missing.`;
    const pay = date(schedule.next_pay_day);
    return t`Next ${on}, paid on ${pay}`;
  }
}

function AddSchedule({ onSaved }: { onSaved: (now: PayoutSettings) => void }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="office" variant="outline">
          <CalendarPlus aria-hidden />
          {t`Add a schedule`}
        </Button>
      </DialogTrigger>
      {open && (
        <AddDialog
          onSaved={(now) => {
            setOpen(false);
            onSaved(now);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Dialog>
  );
}

function AddDialog({ onSaved, onClose }: { onSaved: (now: PayoutSettings) => void; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const dayName = useDayName();
  const [kind, setKind] = useState<RunKind>('agent');
  const [every, setEvery] = useState<Every>('month');
  const [day, setDay] = useState(1);
  const add = useMutation({
    mutationFn: () => call('/api/owner/payoutschedule/add', { kind, every, day }),
    onSuccess: onSaved,
  });
  const taken = add.error instanceof ApiError && add.error.fields.some(({ path }) => path === 'day');
  const days = Array.from({ length: every === 'week' ? 7 : 28 }, (_, i) => i + 1);
  if (every === 'month') days.push(last);
  return (
    <Question
      title={t`Draft a run by itself`}
      line={t`A draft pays nobody before a second person has approved it.`}
      keep={t`Not now`}
      button={t`Add a schedule`}
      of={{ error: taken ? null : add.error, isPending: add.isPending }}
      onYes={() => add.mutate()}
      onDone={onClose}
    >
      <Field label={t({ message: 'Pays', context: 'what a run of payouts pays' })}>
        <Select
          size="office"
          value={kind}
          onChange={setKind}
          options={(['agent', 'refund'] as const).map((value) => ({ value, label: i18n._(runKinds[value]) }))}
        />
      </Field>
      <Field label={t({ message: 'How often', context: 'a run is drafted' })}>
        <Select
          size="office"
          value={every}
          onChange={(next) => {
            setEvery(next);
            setDay(1);
          }}
          options={[
            { value: 'week', label: t`Every week` },
            { value: 'month', label: t`Every month` },
          ]}
        />
      </Field>
      <Field
        label={t`On which day`}
        error={taken ? t`This day has a schedule already` : undefined}
        help={
          every === 'month' ? t`What the day before had is in it: the 1st collects the whole month before.` : undefined
        }
      >
        <Select
          size="office"
          value={String(day)}
          onChange={(next) => setDay(Number(next))}
          options={days.map((one) => ({ value: String(one), label: dayName(every, one) }))}
        />
      </Field>
    </Question>
  );
}
