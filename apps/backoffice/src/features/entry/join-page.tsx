import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { callForToken, query } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { dateTime } from '@wlv/ui/format';
import { useState } from 'react';
import { DeadLink, LinkOpens, SetPassword, takeToken } from './set-password.tsx';

/** Where an admin sets a password by the link that he was given. */
export function JoinPage() {
  const { t } = useLingui();
  useTitle(t`Set a password`);
  const [token] = useState(takeToken);
  const invitation = useQuery({
    ...query('/api/authen/admin/invitation', { token }),
    enabled: Boolean(token),
    retry: false,
  });
  if (!token || invitation.isError) return <DeadLink area="admin" error={invitation.error} />;
  if (invitation.isPending) return <LinkOpens />;
  const { name, username, expires_at } = invitation.data;
  return (
    <SetPassword
      area="admin"
      name={name}
      username={username}
      least={10}
      until={t`The link is good until ${dateTime(expires_at)}.`}
      send={(password) => callForToken('/api/authen/admin/join', { token, password })}
    />
  );
}
