import { useLingui } from '@lingui/react/macro';
import { useBrand, useTitle } from '@wlv/client/page';
import { AppearanceChoice, LanguageChoice } from '@wlv/client/profile/preferences';
import { SignOutButton } from '@wlv/client/profile/sign-out-button';
import { Avatar } from '@wlv/ui/avatar';
import { Card } from '@wlv/ui/card';
import { percent } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { HandCoins } from 'lucide-react';
import { Paid } from '../../application/paid.tsx';
import { useArea } from '../../area.tsx';
import { useSummary } from '../../earnings/summary.ts';
import { messageCatalog } from '../../messages.ts';
import { Failure } from '../../shell/failure.tsx';
import { nameOf, useProfile } from '../../shell/profile.ts';
import { Recruits } from './recruits.tsx';

export function ProfilePage() {
  const { t } = useLingui();
  const { path } = useArea();
  useTitle(t`Profile`);
  return (
    <div className="mx-auto max-w-[760px] px-4 pt-[18px] sm:px-6 lg:pt-8">
      <h1 className="text-h1 font-semibold">{t`Profile`}</h1>
      <Person />
      <Paid />
      <Recruited />
      <h2 className="px-1 pb-2 pt-5 text-h2 font-semibold">{t`This device`}</h2>
      <Card className="divide-y px-4 py-1">
        <LanguageChoice messageCatalog={messageCatalog} />
        <AppearanceChoice />
      </Card>
      <SignOutButton
        audience="agent"
        entry={path('home')}
        stays={t`Your links go on working and your commission stays with your account.`}
      />
    </div>
  );
}

function Person() {
  const { t } = useLingui();
  const brand = useBrand();
  const profile = useProfile();
  if (profile.isError) {
    return (
      <Failure title={t`Your profile did not load`} error={profile.error} onRetry={() => void profile.refetch()} />
    );
  }
  if (profile.isPending) {
    return <Skeleton role="status" aria-label={t`Loading…`} className="mt-3 h-[190px] rounded-card" />;
  }
  const code = profile.data.referercode;
  return (
    <Card className="mt-3 px-4">
      <div className="flex items-center gap-4 py-4">
        <Avatar src={profile.data.pictureUrl} size={64} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-h2 font-semibold">{nameOf(profile.data)}</p>
          <p className="text-caption text-quiet">{t`Agent of ${brand} · code ${code}`}</p>
        </div>
      </div>
      <Rate />
    </Card>
  );
}

function Recruited() {
  const { data } = useProfile();
  return data ? <Recruits code={data.referercode} /> : null;
}

/** The rate as a sentence, and when a sale counts as his. */
function Rate() {
  const { t } = useLingui();
  const summary = useSummary();
  const rate = summary.data && percent(summary.data.rate_basis_points);
  return (
    <div className="flex items-start gap-3.5 border-t py-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-ok-soft text-ok-text">
        <HandCoins aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="min-h-6 text-row font-medium">
          {rate ? (
            t`You earn ${rate} of what your customers pay, or what a package says`
          ) : summary.isError ? (
            t`Your rate did not load`
          ) : (
            <Skeleton className="h-5 w-3/4" />
          )}
        </div>
        <p className="text-caption text-quiet">
          {t`A sale is yours when the customer opened your link last, within 30 days before buying.`}
        </p>
      </div>
    </div>
  );
}
