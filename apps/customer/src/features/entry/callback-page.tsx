import { LineCallback } from '@wlv/client/entry/line-callback';
import { ownPath } from '@wlv/client/return-path';
import { useLocation, useSearch } from '@wlv/client/router';
import { finishLine } from '@wlv/client/sign-in';
import { customerAreas } from '../../pages.ts';

/** The customer goes on to the page that he wanted, else to where he signed in. */
export function CallbackPage() {
  const [, , area] = useLocation().pathname.split('/');
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
    />
  );
}
