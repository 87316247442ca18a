import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Chip } from '@wlv/ui/chip';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Skeleton } from '@wlv/ui/skeleton';
import { Check, CircleCheck } from 'lucide-react';
import { useTheme } from '../preview/theme.ts';
import { type FieldProps, useFormField } from './fields.tsx';

const isColour = (text: string) => /^#[0-9a-f]{6}$/.test(text);

/** A colour as `#rrggbb`, typed or picked. */
export function ColourField({ name, label, help }: FieldProps) {
  const { t } = useLingui();
  const { value, onChange, onBlur, ref, error } = useFormField<string>(name, label);
  return (
    <Field label={label} help={help} error={error}>
      <Input
        size="office"
        className="pl-1.5"
        name={name}
        ref={ref}
        value={value}
        onBlur={onBlur}
        spellCheck={false}
        onChange={(event) => {
          const typed = event.target.value.trim().toLowerCase();
          onChange(typed && !typed.startsWith('#') ? `#${typed}` : typed);
        }}
        before={
          <input
            type="color"
            aria-label={t`Pick a colour`}
            value={isColour(value) ? value : '#000000'}
            onChange={(event) => onChange(event.target.value)}
            className="size-[30px] shrink-0 cursor-pointer appearance-none rounded-chip border-0 bg-transparent p-0 [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:rounded-chip [&::-webkit-color-swatch]:border-0"
          />
        }
      />
    </Field>
  );
}

type Readable = Detail<'/api/staff/theme'>['readable'][number];

/** Four pairs that are read most, measured as they will be shown. */
export function ContrastList({ primary, secondary }: { primary: string; secondary: string }) {
  const { t } = useLingui();
  const [p, s] = [isColour(primary) ? primary : '#061c33', isColour(secondary) ? secondary : '#d3ae55'];
  const theme = useTheme({ primary: p, secondary: s });
  const names: Record<Readable['name'], string> = {
    button: t`Words on buttons`,
    link: t`Prices and links on white`,
    badge: t`The secondary badge`,
    night_link: t`Links at night`,
  };
  if (theme.isError) {
    return <Failure title={t`The colours did not load`} error={theme.error} onRetry={() => void theme.refetch()} />;
  }
  if (theme.isPending) return <Skeleton className="h-52" />;
  return (
    <section className="grid gap-2.5">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-base font-semibold">{t`Reads well everywhere`}</h3>
        <Chip tone="ok" icon={<Check aria-hidden />}>{t`All above 4.5:1`}</Chip>
      </div>
      <ul className="grid gap-2.5">
        {theme.data.readable.map(({ name, text, ground, ratio }) => (
          <li key={name} className="flex items-center gap-3">
            <span
              aria-hidden
              lang="th"
              style={{ color: text, background: ground }}
              className="grid h-8 w-14 shrink-0 place-items-center rounded-chip text-sm font-semibold shadow-[inset_0_0_0_1px_var(--edge)]"
            >
              กขค
            </span>
            <span className="min-w-0 flex-1">{names[name]}</span>
            <span className="font-medium">{ratio.toFixed(1)}:1</span>
            <CircleCheck aria-hidden className="size-[18px] text-ok-text" />
          </li>
        ))}
      </ul>
      <p className="text-caption text-quiet">
        {t`Where a colour is too light or too dark, the words on it change; the colour you chose stays.`}
      </p>
    </section>
  );
}
