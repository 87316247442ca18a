import { usePage } from '@wlv/client/page';
import { stylesheet } from '@wlv/ui/theme';
import { useEffect } from 'react';
import { usePerson } from '../access/person.ts';
import { useTheme } from '../preview/theme.ts';

/**
 * Gives the office its organisation's colours where the page came without them: on the platform's own host.
 * A constructed sheet needs no permission of the page's policy for inline styles.
 */
export function usePlatformTheme() {
  const page = usePage();
  const { org } = usePerson();
  const { background_color_primary: primary = '', background_color_secondary: secondary = '' } = org?.orgsetting ?? {};
  const theme = useTheme(page.org || !org ? null : { primary, secondary }).data;
  useEffect(() => {
    if (!theme) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(stylesheet(theme));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [theme]);
}
