import { useLingui } from '@lingui/react/macro';
import { Navigate, useParams } from '@tanstack/react-router';
import { EmptyState } from '@wlv/ui/state';
import { usePerson } from '../person.tsx';
import { findScreen, menu } from '../screens.ts';

/** Shows the screen that the address names, to who may see it; everybody else goes to what he may see. */
export function ScreenPage() {
  const { t } = useLingui();
  const { screen: path = '', id } = useParams({ strict: false });
  const { can } = usePerson();
  const found = findScreen(path);
  if (found && can(found.screen.module, 'v')) {
    const { component: Component } = found.screen;
    return <Component key={path} id={id} />;
  }

  const first = menu.flatMap((group) => group.screens).find((screen) => can(screen.module, 'v'));
  if (first) return <Navigate to="/owner/$screen" params={{ screen: first.path }} replace />;
  return (
    <EmptyState
      title={t`Nothing to see with this account yet`}
      line={t`Ask the owner to give your account a permission set.`}
    />
  );
}
