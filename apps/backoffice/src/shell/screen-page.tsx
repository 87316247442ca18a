import { useLingui } from '@lingui/react/macro';
import { useNavigate, useParams } from '@tanstack/react-router';
import { EmptyState } from '@wlv/ui/state';
import { useEffect } from 'react';
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
  if (first) return <Elsewhere path={first.path} />;
  return (
    <EmptyState
      title={t`Nothing to see with this account yet`}
      line={t`Ask the owner to give your account a permission set.`}
    />
  );
}

/** Goes there, once: the router's own component would go again each time that it is drawn. */
function Elsewhere({ path }: { path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: '/owner/$screen', params: { screen: path }, replace: true });
  }, [navigate, path]);
  return null;
}
