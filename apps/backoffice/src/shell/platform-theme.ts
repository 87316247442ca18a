import { usePage } from '@wlv/client/page';
import { stylesheet } from '@wlv/ui/theme';
import { useEffect } from 'react';
import { usePerson } from '../access/person.ts';

/**
 * Gives the office its organisation's colours where the page came without them: on the platform's own host.
 * A constructed sheet needs no permission of the page's policy for inline styles.
 */
export function usePlatformTheme() {
  const page = usePage();
  const { org } = usePerson();
  const colours =
    page.org || !org ? null : `${org.orgsetting.background_color_primary} ${org.orgsetting.background_color_secondary}`;
  useEffect(() => {
    if (!colours) return;
    const [primary = '', secondary = ''] = colours.split(' ');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(stylesheet(primary, secondary));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [colours]);
}
