import { LineCallback } from '@wlv/client/entry/line-callback';
import { ownPath } from '@wlv/client/return-path';
import { useLocation, useSearch } from '@wlv/client/router';
import { session } from '@wlv/client/session';
import { finishLine } from '@wlv/client/sign-in';
import { useState } from 'react';
import { customerAreas } from '../../pages.ts';

/** The customer goes on to the page that he wanted, else to where he signed in. */
export function CallbackPage() {
  const [, , area] = useLocation().pathname.split('/');
  // Before LINE's answer was taken: afterwards the page that was wanted is gone to.
  const [signedIn] = useState(() => (session.token('user') ? '/user/market' : undefined));
  return (
    <LineCallback
      brought={useSearch()}
      finish={async (brought) => {
        const back = await finishLine({ area: area === 'welovevoucher' ? area : 'user', ...brought });
        const wanted = localStorage.getItem('paramspage');
        localStorage.removeItem('paramspage');
        return ownPath(wanted, customerAreas) ?? back;
      }}
      again="/user/home"
      signedIn={signedIn}
    />
  );
}
