import { useLingui } from '@lingui/react/macro';
import { OrgMark, PlatformMark } from '@wlv/ui/org-mark';
import { keepThaiTogether } from '@wlv/ui/thai';
import { createContext, use, useEffect } from 'react';
import type { Boot } from './boot.ts';
import { pick } from './language.ts';

const Context = createContext<Boot | null>(null);

/** What the server wrote into this page: language, organisation, where LINE is. */
export const PageProvider = Context;

export function usePage() {
  const boot = use(Context);
  if (!boot) throw new Error('usePage stands outside of PageProvider');
  return boot;
}

type Texts<Key extends string> = { [K in `${Key}_th` | `${Key}_en`]?: string | null };

/** Reads a record's text in the person's language, with Thai numbers and units kept together. */
export function useTexts() {
  const { i18n } = useLingui();
  return <Key extends string>(record: Texts<Key>, key: Key) => keepThaiTogether(pick(record, key, i18n.locale));
}

const platform = { name_th: 'We Love Voucher', name_en: 'We Love Voucher' };

/** The organisation's name, or the platform's on its own host. */
export function useBrand() {
  const text = useTexts();
  return text(usePage().org ?? platform, 'name');
}

/** `page name - brand`. */
export function useTitle(name: string) {
  const brand = useBrand();
  useEffect(() => {
    document.title = `${name} - ${brand}`;
  }, [name, brand]);
}

/** The organisation's mark, or the platform's on its own host. */
export function BrandMark({ size, onBand }: { size: number; onBand?: boolean }) {
  const brand = useBrand();
  const { org } = usePage();
  if (!org) return <PlatformMark size={size} />;
  return <OrgMark logo={org.logo_url} name={brand} size={size} onBand={onBand} />;
}

/** What stands where a product has no picture. */
export function Mark({ size = 48 }: { size?: number }) {
  const brand = useBrand();
  return <OrgMark logo={usePage().org?.logo_url} name={brand} size={size} className="opacity-60" />;
}
