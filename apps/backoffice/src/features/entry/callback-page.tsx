import { useLocation, useSearch } from '@tanstack/react-router';
import { type Body, callForToken } from '@wlv/client/call';
import { LineCallback } from '@wlv/client/entry/line-callback';
import { session } from '@wlv/client/session';
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

/** Trades what LINE brought for a session; answers where the person goes on, which is where a code is asked for if one is. */
async function finish(input: Body<'/api/authen/line/finish'>) {
  const { token, detail } = await callForToken('/api/authen/line/finish', input);
  const { audience, pending } = detail;
  if (audience !== 'owner' && audience !== 'staff' && audience !== 'admin') return detail.return;
  if (pending) {
    keepPending(pending);
    return `${areas[audience].entry}?${new URLSearchParams({ next: detail.return })}`;
  }
  if (token) session.save(audience, token);
  return detail.return;
}

/** Who signs in goes back to where he began; an invitation that was taken is spent. */
export function CallbackPage() {
  const area = areaOf(useLocation().pathname.split('/')[2]);
  return (
    <LineCallback
      brought={useSearch({ strict: false })}
      finish={async (brought) => {
        const back = await finish({ area, ...brought });
        if (area === 'register') forgetInvitation();
        return back;
      }}
      again={entries[area]}
    />
  );
}
