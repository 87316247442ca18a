import { usePage } from '@wlv/client/page';
import { usePerson } from '../access/person.ts';

/** The organisation's two colours, from the page or, on the platform's own host, from the session. */
export function useColours() {
  const page = usePage();
  const { org } = usePerson();
  return {
    primary: page.org?.primary ?? org?.orgsetting.background_color_primary ?? '#061c33',
    secondary: page.org?.secondary ?? org?.orgsetting.background_color_secondary ?? '#d3ae55',
  };
}
