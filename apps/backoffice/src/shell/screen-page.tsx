import { useLingui } from '@lingui/react/macro';
import { useLocation, useParams } from '@tanstack/react-router';
import { EmptyState } from '@wlv/ui/state';
import { usePerson } from '../access/person.ts';
import { findScreen, menu } from '../navigation.ts';
import { Elsewhere } from './elsewhere.tsx';
import { useScreenNames } from './screen-names.ts';

/**
 * Shows the screen that the address names, to who may see it. Everybody else goes to main, and
 * who may not see that either to the first screen that he may.
 */
export function ScreenPage() {
  const { t } = useLingui();
  const { screen: path = '', id } = useParams({ strict: false });
  const { can } = usePerson();
  const { pathOf, known } = useScreenNames();
  const { searchStr } = useLocation();
  const found = findScreen(path);
  if (found && can(found.screen.module, 'v')) {
    // An address with a word that the organisation has no more leads to the one that it has.
    if (known && found.screen.product && pathOf(found.screen) !== path)
      return <Elsewhere to={`/owner/${pathOf(found.screen)}${searchStr}`} />;
    const { component: Component } = found.screen;
    return <Component key={path} id={id} />;
  }

  // Main stands first in the menu.
  const first = menu.flatMap((group) => group.screens).find((screen) => can(screen.module, 'v'));
  if (first) return <Elsewhere to={`/owner/${first.path}`} />;
  return (
    <EmptyState
      title={t`Nothing to see with this account yet`}
      line={t`Ask the owner to give your account a permission set.`}
    />
  );
}
