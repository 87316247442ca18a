import { useLingui } from '@lingui/react/macro';
import { appearance, choose } from '@wlv/client/appearance';
import type { Language } from '@wlv/client/boot';
import { setLanguage } from '@wlv/client/language';
import { clsx } from 'clsx';
import { Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { messageCatalog } from '../messages.ts';

/** Language, and light or dark. */
export function Preferences({ className }: { className?: string }) {
  return (
    <div className={clsx('flex items-center gap-2', className)}>
      <LanguageSwitch />
      <AppearanceSwitch />
    </div>
  );
}

const languages = [
  { value: 'th', label: 'ไทย' },
  { value: 'en', label: 'EN' },
] as const;

function LanguageSwitch() {
  const { t, i18n } = useLingui();
  return (
    <div role="group" aria-label={t`Language`} className="flex rounded-control bg-muted p-[3px]">
      {languages.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          lang={value}
          aria-pressed={i18n.locale === value}
          onClick={() => void setLanguage(value as Language, messageCatalog)}
          className={clsx(
            'h-8 rounded-[9px] px-3 text-caption font-medium',
            i18n.locale === value
              ? 'bg-popover text-foreground shadow-[0_1px_3px_rgb(24_20_14/14%)]'
              : 'text-muted-foreground',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function isDark() {
  const chosen = appearance();
  return chosen === 'device' ? window.matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

function AppearanceSwitch() {
  const { t } = useLingui();
  const [dark, setDark] = useState(isDark);
  const Icon = dark ? Sun : Moon;
  return (
    <button
      type="button"
      onClick={() => {
        choose(dark ? 'light' : 'dark');
        setDark(!dark);
      }}
      className="inline-flex h-9 items-center gap-2 rounded-small px-2.5 text-caption font-medium text-muted-foreground hover:bg-muted"
    >
      <Icon aria-hidden className="size-[18px]" />
      {dark ? t`Light` : t`Dark`}
    </button>
  );
}
