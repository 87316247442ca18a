import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

export interface WizardStep {
  title: string;
  /** What was decided there. */
  line?: string;
  state: 'done' | 'now' | 'later';
  onOpen?: () => void;
}

/** Steps at the left, the work in the middle, the organisation's own card at the right, the way on below. */
export function WizardFrame({
  title,
  steps,
  card,
  foot,
  children,
}: {
  title: ReactNode;
  steps: WizardStep[];
  card: ReactNode;
  foot: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className="mx-auto grid w-full max-w-[1640px] flex-1 grid-cols-1 content-start lg:grid-cols-[300px_1fr] xl:grid-cols-[300px_1fr_372px]">
        <aside className="min-w-0 px-4 pt-6 sm:px-7 lg:pr-3 lg:pt-7">
          <h1 className="mb-4 text-h2 font-semibold">{title}</h1>
          <Steps steps={steps} />
        </aside>
        <div className="min-w-0 px-4 py-6 sm:px-7 lg:py-7">{children}</div>
        <aside className="grid min-w-0 grid-cols-1 content-start gap-4 px-4 pb-6 sm:px-7 lg:col-start-2 xl:col-start-auto xl:pl-0 xl:pt-7">
          {card}
        </aside>
      </div>
      <footer
        data-foot=""
        className="sticky bottom-0 z-10 mt-auto flex min-h-[76px] flex-wrap items-center gap-2.5 bg-card px-4 py-3 shadow-[0_-1px_0_var(--line)] sm:px-7"
      >
        {foot}
      </footer>
    </>
  );
}

/** Of the row of steps, so that the ring around a step is not cut off. */
const padding = 4;

function Steps({ steps }: { steps: WizardStep[] }) {
  const row = useRef<HTMLOListElement>(null);
  const now = steps.findIndex(({ state }) => state === 'now');
  useEffect(() => {
    const step = row.current?.children[now] as HTMLElement | undefined;
    if (step && row.current) row.current.scrollLeft = step.offsetLeft - row.current.offsetLeft - padding;
  }, [now]);
  return (
    <ol
      ref={row}
      // On a phone the steps stand in a row that is moved sideways, by keyboard too.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className="no-scrollbar -m-1 flex gap-5 overflow-x-auto p-1 pb-2 lg:grid lg:gap-0 lg:overflow-visible"
    >
      {steps.map((step, i) => (
        <li key={step.title} className="relative flex shrink-0 items-start gap-3.5 lg:pb-[18px]">
          {i < steps.length - 1 && (
            <span
              aria-hidden
              className={clsx(
                'absolute bottom-[-2px] left-[15px] top-[34px] w-0.5 max-lg:hidden',
                step.state === 'done' ? 'bg-ok' : 'bg-border',
              )}
            />
          )}
          <span
            className={clsx(
              'relative grid size-8 shrink-0 place-items-center rounded-full font-semibold',
              step.state === 'done' && 'bg-ok-soft text-ok-text',
              step.state === 'now' && 'bg-primary text-primary-foreground shadow-[0_0_0_4px_var(--brand-soft)]',
              step.state === 'later' && 'text-quiet shadow-[inset_0_0_0_1.5px_var(--line-strong)]',
            )}
          >
            {step.state === 'done' ? <Check aria-hidden className="size-[17px]" strokeWidth={2.5} /> : i + 1}
          </span>
          <StepWords step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepWords({ step }: { step: WizardStep }) {
  const words = (
    <>
      <span
        className={clsx(
          'block text-[15px] leading-[23px]',
          step.state === 'now' ? 'font-semibold' : 'font-medium',
          step.state === 'later' && 'text-quiet',
        )}
      >
        {step.title}
      </span>
      <span className="block max-w-[200px] truncate text-caption text-quiet">{step.line}</span>
    </>
  );
  if (!step.onOpen) {
    return (
      <div aria-current={step.state === 'now' ? 'step' : undefined} className="min-h-8 pt-1">
        {words}
      </div>
    );
  }
  return (
    <button type="button" onClick={step.onOpen} className="min-h-8 rounded-small pt-1 text-left hover:underline">
      {words}
    </button>
  );
}
