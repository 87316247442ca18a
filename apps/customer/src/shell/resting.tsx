import { useLingui } from '@lingui/react/macro';
import { useBrand, useTitle } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { Button } from '@wlv/ui/button';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from 'lucide-react';
import { AreaLink } from '../area.tsx';

/** Stands where a suspended shop would sell, give or take money; what was bought there is used as before. */
export function Resting({ gift }: { gift?: boolean }) {
  const { t } = useLingui();
  const brand = useBrand();
  const signedIn = useSignedIn('user');
  useTitle(t`Closed for now`);
  return (
    <div className="mx-auto grid min-h-[70dvh] max-w-[560px] content-center">
      <h1 className="sr-only">{brand}</h1>
      <EmptyState
        title={t`${brand} is closed for now`}
        line={
          gift
            ? t`The gift can be received when the shop is back. Its days stand still until then, but it is not good for longer than what is in it.`
            : t`Nothing can be bought or given here until it is back. Vouchers that you have can be used as before, until their last day.`
        }
        action={
          <div className="flex flex-wrap justify-center gap-2.5">
            <Button asChild>
              <AreaLink page={signedIn ? 'activevoucher' : 'home'}>
                <Ticket aria-hidden />
                {signedIn ? t`My vouchers` : t`Sign in to my vouchers`}
              </AreaLink>
            </Button>
            <Button asChild variant="outline">
              <Link to="/contact">{t`Ask the shop`}</Link>
            </Button>
          </div>
        }
      />
    </div>
  );
}
