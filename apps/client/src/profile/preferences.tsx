import { useLingui } from '@lingui/react/macro';
import { Segment } from '@wlv/ui/segment';
import { useState } from 'react';
import { type Appearance, appearance, choose } from '../appearance.ts';
import type { Language } from '../boot.ts';
import { type MessageCatalog, setLanguage } from '../language.ts';

export function LanguageChoice({ messageCatalog }: { messageCatalog: MessageCatalog }) {
  const { t, i18n } = useLingui();
  return (
    <Segment<Language>
      title={t`Language`}
      value={i18n.locale as Language}
      options={[
        { value: 'th', label: 'ไทย' },
        { value: 'en', label: 'English' },
      ]}
      onChange={(language) => void setLanguage(language, messageCatalog)}
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
        { value: 'device', label: t`As the device` },
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
