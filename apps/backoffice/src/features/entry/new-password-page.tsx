import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { callForToken, query } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { useState } from 'react';
import { useArea } from '../../area.ts';
import { DeadLink, LinkOpens, SetPassword, takeToken } from './set-password.tsx';

/** Where who has lost his password sets another, by a link from an e-mail or after LINE has shown who he is. */
export function NewPasswordPage() {
  const { t } = useLingui();
  const area = useArea();
  useTitle(t`Set a password`);
  const [token] = useState(takeToken);
  const lost = useQuery({ ...query('/api/authen/password/link', { token }), enabled: Boolean(token), retry: false });
  if (!token || lost.isError) return <DeadLink area={area} error={lost.error} />;
  if (lost.isPending) return <LinkOpens />;
  const { name, username, audience } = lost.data;
  return (
    <SetPassword
      area={audience}
      name={name}
      username={username}
      least={audience === 'admin' ? 10 : 4}
      send={(password) => callForToken('/api/authen/password/set', { token, password })}
    />
  );
}
