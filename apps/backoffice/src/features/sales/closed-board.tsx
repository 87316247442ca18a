import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { usePerson } from '../../access/person.ts';

/** While the board is closed it says so, and leads who may see the settings to where it is opened. */
export function ClosedBoard() {
  const { t } = useLingui();
  const { can } = usePerson();
  const { data } = useQuery({ ...query('/api/owner/setting/board/get', {}), enabled: can('setting', 'v') });
  if (!data || data.open) return null;
  return (
    <div className="grid justify-items-center gap-3">
      <p className="text-muted-foreground">{t`The board is closed: customers cannot sell vouchers on.`}</p>
      <Button asChild variant="outline" size="office">
        <Link to="/owner/$screen" params={{ screen: 'settingboard' }}>{t`To the setting`}</Link>
      </Button>
    </div>
  );
}
