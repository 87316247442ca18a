import { useLocation, useSearch } from '@tanstack/react-router';
import { LineCallback } from '@wlv/client/entry/line-callback';
import { finishLine } from '@wlv/client/sign-in';
import { areas } from '../../area.ts';
import { forgetInvitation } from './invitation-token.ts';
import { keepPending } from './pending.ts';

/** Where each kind of login began. */
const entries = {
  owner: areas.owner.entry,
  staff: areas.staff.entry,
  advwsadmin: areas.admin.entry,
  register: '/owner/register/staff',
};

function areaOf(name = ''): keyof typeof entries {
  return Object.hasOwn(entries, name) ? (name as keyof typeof entries) : 'owner';
}

/** Who signs in goes back to where he began; an invitation that was taken is spent. */
export function CallbackPage() {
  const area = areaOf(useLocation().pathname.split('/')[2]);
  return (
    <LineCallback
      brought={useSearch({ strict: false })}
      finish={async (brought) => {
        const back = await finishLine({ area, ...brought }, ({ audience, pending, to }) => {
          keepPending(pending);
          return `${areas[audience].entry}?${new URLSearchParams({ next: to })}`;
        });
        if (area === 'register') forgetInvitation();
        return back;
      }}
      again={entries[area]}
    />
  );
}
