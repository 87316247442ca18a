import { useLingui } from '@lingui/react/macro';
import { date, dateTime } from '@wlv/ui/format';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { RunStory } from './payout-states.ts';

type Does = RunStory['steps'][number]['does'];

/** The four steps of a run, each with who did it and when; the one it is at now. */
export function RunSteps({ story }: { story: RunStory }) {
  const { t } = useLingui();
  const { record, steps, alone } = story;
  const at = (does: Does) => steps.find((one) => one.does === does);
  const said = (does: Does) => {
    const step = at(does);
    if (!step) return undefined;
    const by = does === 'draft' && !step.by ? t`by its schedule` : step.by;
    return [by, dateTime(step.at)].filter(Boolean).join(' ');
  };
  const asked = at('propose');
  const askedBy = asked?.by ?? '';
  const askedAt = asked ? dateTime(asked.at) : '';
  const payDay = date(record.pay_day);
  const answered = record.paid_count + record.failed_count;
  const all = [
    { name: t({ message: 'Draft', context: 'a run of payouts' }), line: said('draft'), done: true },
    {
      name: t`Second person`,
      line: at('approve')
        ? alone
          ? t`${said('approve') ?? ''}, alone for want of another`
          : said('approve')
        : asked
          ? t`asked by ${askedBy} ${askedAt}`
          : t`not asked yet`,
      done: Boolean(at('approve')),
    },
    {
      name: t`The bank's file`,
      line: said('export') ?? t`until ${payDay}`,
      done: Boolean(at('export')),
    },
    {
      name: t`The bank's answer`,
      line:
        said('close') ??
        (record.state === 'exported' ? t`${answered} of ${record.payees} so far` : t`paid, or not and why`),
      done: Boolean(at('close')),
    },
  ];
  // Closed without a file: nobody was left to be paid, or somebody said of each what became of it.
  const now = record.state === 'cancelled' || record.state === 'closed' ? -1 : nowOf(all, Boolean(asked));
  return (
    <ol className="mb-4 grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2 xl:flex xl:items-center">
      {all.map(({ name, line, done }, i) => (
        <li
          key={name}
          aria-current={i === now ? 'step' : undefined}
          className={clsx('flex items-center gap-3', i > 0 && 'xl:grow')}
        >
          {i > 0 && (
            <span aria-hidden className={clsx('hidden h-0.5 grow xl:block', done ? 'bg-brand-mark' : 'bg-border')} />
          )}
          <span
            aria-hidden
            className={clsx(
              'grid size-[30px] shrink-0 place-items-center rounded-full font-semibold',
              i === now
                ? 'bg-primary text-primary-foreground shadow-[0_0_0_4px_var(--brand-soft)]'
                : done
                  ? 'bg-ok-soft text-ok-text'
                  : 'text-muted-foreground shadow-[inset_0_0_0_2px_var(--line-strong)]',
            )}
          >
            {done && i !== now ? <Check className="size-4" strokeWidth={2} /> : i + 1}
          </span>
          <span className="min-w-0">
            <span className="block font-medium">
              {name}
              {done && <span className="sr-only"> {t`done`}</span>}
            </span>
            <span className="block text-caption text-quiet">{line}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A draft that nobody has proposed is still at its first step. */
function nowOf(all: { done: boolean }[], proposed: boolean) {
  const first = all.findIndex(({ done }) => !done);
  return first === 1 && !proposed ? 0 : first;
}
