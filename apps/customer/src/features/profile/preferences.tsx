import { useLingui } from '@lingui/react/macro';
import { type Appearance, appearance, choose } from '@wlv/client/appearance';
import type { Language } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { clsx } from 'clsx';
import { useId, useState } from 'react';
import { catalogue } from '../../catalogue.ts';

export function LanguageChoice() {
  const { t, i18n } = useLingui();
  return (
    <Segment<Language>
      title={t`Language`}
      value={i18n.locale as Language}
      options={[
        { value: 'th', label: 'ไทย' },
        { value: 'en', label: 'English' },
      ]}
      onChange={(language) => void speak(language, catalogue)}
    />
  );
}

export function AppearanceChoice() {
  const { t } = useLingui();
  const [value, setValue] = useState(appearance);
  return (
    <Segment<Appearance>
      title={t`Appearance`}
      value={value}
      options={[
        { value: 'device', label: t`As the phone` },
        { value: 'light', label: t`Light` },
        { value: 'dark', label: t`Dark` },
      ]}
      onChange={(next) => {
        choose(next);
        setValue(next);
      }}
    />
  );
}

function Segment<Value extends string>({
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
    <fieldset className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
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
