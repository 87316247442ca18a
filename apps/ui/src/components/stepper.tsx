import { useLingui } from '@lingui/react/macro';
import { Minus, Plus, Trash2 } from 'lucide-react';

/** How many; below the least it removes, where that is allowed. */
export function Stepper({
  value,
  onChange,
  min = 1,
  max = 99,
  onRemove,
  name,
}: {
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  onRemove?: () => void;
  /** Of what, for those who do not see the row. */
  name: string;
}) {
  const { t } = useLingui();
  const button =
    'relative grid size-9 place-items-center text-muted-foreground disabled:text-line-strong after:absolute after:-inset-1 [&_svg]:size-[17px]';
  const removes = onRemove && value <= min;
  return (
    <div
      data-slot="stepper"
      role="group"
      aria-label={name}
      className="inline-flex h-9 shrink-0 items-center rounded-control font-semibold shadow-[inset_0_0_0_1px_var(--line)]"
    >
      <button
        type="button"
        className={button}
        aria-label={removes ? t`Remove ${name}` : t`One less`}
        disabled={!removes && value <= min}
        onClick={() => (removes ? onRemove() : onChange(value - 1))}
      >
        {removes ? <Trash2 aria-hidden /> : <Minus aria-hidden />}
      </button>
      <output className="w-[30px] text-center text-row">{value}</output>
      <button
        type="button"
        className={button}
        aria-label={t`One more`}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Plus aria-hidden />
      </button>
    </div>
  );
}
