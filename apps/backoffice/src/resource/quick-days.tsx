import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { calendarDay } from '@wlv/ui/format';

const dayLength = 86_400_000;

/** Days that are asked for often, each as its first and last one, in Bangkok: those that have been, or those to come. */
export function QuickDays({
  of,
  from,
  to,
  onChange,
}: {
  of: 'past' | 'coming';
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}) {
  const { t } = useLingui();
  const away = (days: number) => calendarDay(Date.now() + days * dayLength);
  const today = away(0);
  const firstOfMonth = `${today.slice(0, 8)}01`;
  const choices =
    of === 'past'
      ? [
          { title: t`Today`, from: today, to: today },
          { title: t`Yesterday`, from: away(-1), to: away(-1) },
          { title: t`Last 7 days`, from: away(-6), to: today },
          { title: t`Last 30 days`, from: away(-29), to: today },
          { title: t`This month`, from: firstOfMonth, to: today },
        ]
      : [
          { title: t`Today`, from: today, to: today },
          { title: t`Next 7 days`, from: today, to: away(6) },
          { title: t`Next 30 days`, from: today, to: away(29) },
        ];
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t`Quick choices`}</legend>
      {choices.map((choice) => {
        const chosen = choice.from === from && choice.to === to;
        return (
          <Button
            key={choice.title}
            size="row"
            className="max-sm:h-11"
            variant={chosen ? 'soft' : 'outline'}
            aria-pressed={chosen}
            onClick={() => onChange(choice.from, choice.to)}
          >
            {choice.title}
          </Button>
        );
      })}
    </fieldset>
  );
}
