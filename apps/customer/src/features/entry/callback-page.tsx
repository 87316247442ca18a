import { useLocation } from '@tanstack/react-router';
import { LineCallback } from '@wlv/client/entry/line-callback';
import { finishLine } from '@wlv/client/sign-in';

/** A path into the customer's areas: `?page=` is anybody's word, and `//host` would be another site. */
const ours = /^\/(?:user|welovevoucher|trade|tradeuser|transfer|transferuser)(?:[/?]|$)/;

/** The customer goes on to the page that he wanted, else to where he signed in. */
export function CallbackPage() {
  const [, , area] = useLocation().pathname.split('/');
  return (
    <LineCallback
      finish={async (brought) => {
        const back = await finishLine({ area: area === 'welovevoucher' ? area : 'user', ...brought });
        const wanted = localStorage.getItem('paramspage');
        localStorage.removeItem('paramspage');
        return wanted && ours.test(wanted) ? wanted : back;
      }}
      again="/user/home"
    />
  );
}
