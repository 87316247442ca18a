import { clsx } from 'clsx';
import { useId } from 'react';

/** A setting with two or three values, all in sight: its name left, the choice right. */
export function Segment<Value extends string>({
  title,
  value,
  options,
  onChange,
}: {
  title: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset data-slot="segment" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <legend className="float-left text-row font-medium">{title}</legend>
      <div className="flex rounded-control bg-muted p-[3px]">
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              'flex h-10 items-center rounded-[9px] px-3.5 text-sm font-medium has-focus-visible:outline-2',
              option.value === value
                ? 'bg-popover text-foreground shadow-[0_1px_3px_rgb(24_20_14/14%)]'
                : 'text-muted-foreground',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
