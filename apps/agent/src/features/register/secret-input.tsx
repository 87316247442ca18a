import { useLingui } from '@lingui/react/macro';
import { Input } from '@wlv/ui/input';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

/** A number that nobody else shall read over a shoulder: its middle is hidden unless it is written, or the eye is pressed. */
export function SecretInput({
  value,
  onChange,
  maxLength,
  numeric,
}: {
  value: string;
  onChange: (value: string) => void;
  maxLength: number;
  numeric?: boolean;
}) {
  const { t } = useLingui();
  const [written, setWritten] = useState(false);
  const [seen, setSeen] = useState(false);
  const shown = written || seen;
  return (
    <Input
      value={shown ? value : hidden(value)}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      {...(numeric ? { inputMode: 'numeric' as const } : {})}
      onFocus={() => setWritten(true)}
      onBlur={() => setWritten(false)}
      onChange={(event) => onChange(event.target.value)}
      after={
        <button
          type="button"
          aria-label={seen ? t`Hide the number` : t`Show the number`}
          aria-pressed={seen}
          onClick={() => setSeen(!seen)}
          className="grid size-9 shrink-0 place-items-center rounded-small hover:bg-muted"
        >
          {seen ? <EyeOff aria-hidden className="size-[18px]" /> : <Eye aria-hidden className="size-[18px]" />}
        </button>
      }
    />
  );
}

const edge = 4;

/** The middle as dots, the last four and the first as they are. */
export function hidden(number: string) {
  if (number.length <= edge + 1) return number;
  const open = number.length > edge * 2 ? edge + 1 : 1;
  return number.slice(0, open) + '•'.repeat(Math.max(0, number.length - open - edge)) + number.slice(-edge);
}
