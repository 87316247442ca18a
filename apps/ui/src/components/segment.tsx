import { clsx } from 'clsx';
import { useId } from 'react';

/** A setting with two or three values, all in sight: its name left, the choice right; or, wide, the choice below it over the whole line. */
export function Segment<Value extends string>({
  title,
  value,
  options,
  onChange,
  wide,
}: {
  title: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
  wide?: boolean;
}) {
  const name = useId();
  return (
    <fieldset
      data-slot="segment"
      className={clsx(
        wide ? 'grid grid-cols-1 gap-1.5' : 'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3',
      )}
    >
      <legend className={wide ? 'mb-1.5 text-sm font-medium' : 'float-left text-row font-medium'}>{title}</legend>
      <div className={clsx('flex bg-muted p-[3px]', wide ? 'rounded-touch' : 'rounded-control')}>
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              'flex items-center font-medium has-focus-visible:outline-2',
              wide ? 'h-[46px] flex-1 justify-center rounded-[13px] text-row' : 'h-10 rounded-[9px] px-3.5 text-sm',
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
