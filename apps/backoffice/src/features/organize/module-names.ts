import { useLingui } from '@lingui/react/macro';
import { modules } from '@wlv/client/modules.gen';

/** What modules are called, but those of which the office has no screen yet. */
export function useModuleNames() {
  const { i18n } = useLingui();
  return (of: readonly string[]) =>
    of.flatMap((module) => {
      const known = module in modules ? modules[module as keyof typeof modules] : undefined;
      return known ? [i18n.locale === 'th' ? known.name_th : known.name_en] : [];
    });
}
