import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { BrandMark, useBrand, useTexts, useTitle } from '@wlv/client/page';
import { useSignOut } from '@wlv/client/use-sign-out';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { phone, tel } from '@wlv/ui/phone';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { MapPin, Phone, RefreshCw } from 'lucide-react';
import { useArea } from '../../area.tsx';
import { Failure } from '../../shell/failure.tsx';
import { nameOf, useProfile } from '../../shell/profile.ts';

/** For who is no agent yet: whom to ask, and what to say to them. */
export function RegisterPage() {
  const { t } = useLingui();
  const brand = useBrand();
  const places = usePlaces();
  const canCall = places.data?.data.some(({ phone }) => phone);
  useTitle(t`Become an agent`);

  return (
    <div className="mx-auto grid max-w-[560px] grid-cols-1 gap-3.5 px-4 pb-12 pt-9 sm:px-6 lg:pt-16">
      <div className="px-1">
        <BrandMark size={56} />
        <h1 className="mt-4 text-h1 font-semibold">{t`Become an agent of ${brand}`}</h1>
        <p className="mt-1 text-row text-muted-foreground">
          {canCall
            ? t`The shop approves its agents itself: call one of the places below and tell them your code.`
            : t`The shop approves its agents itself: ask the staff there and tell them your code.`}
        </p>
      </div>
      <Code />
      <Places />
      <Other />
    </div>
  );
}

/** How the shop finds this person among its customers. */
function Code() {
  const { t } = useLingui();
  const profile = useProfile();
  if (profile.isError) {
    return (
      <Failure title={t`Your profile did not load`} error={profile.error} onRetry={() => void profile.refetch()} />
    );
  }
  return (
    <Card className="flex min-h-[88px] items-center gap-3.5 p-4">
      {profile.data ? (
        <>
          <Avatar src={profile.data.pictureUrl} size={48} />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-row font-medium">{nameOf(profile.data)}</span>
            <span className="block text-caption text-quiet">{t`Your code`}</span>
          </span>
          <span className="text-h2 font-semibold tracking-[.12em]">{profile.data.referercode}</span>
        </>
      ) : (
        <Skeleton className="h-12 flex-1" />
      )}
    </Card>
  );
}

function usePlaces() {
  return useQuery({ ...query('/api/user/get/service_point', {}, { as: 'agent' }), staleTime: 600_000 });
}

function Places() {
  const { t } = useLingui();
  const places = usePlaces();
  if (places.isPending) return <Skeleton role="status" aria-label={t`Loading…`} className="h-[156px] rounded-card" />;
  if (places.isError) {
    return <Failure title={t`The places did not load`} error={places.error} onRetry={() => void places.refetch()} />;
  }
  if (!places.data.data.length) {
    return <Card className="p-4 text-row text-muted-foreground">{t`Ask at the shop's counter.`}</Card>;
  }
  return (
    <Card className="px-4 py-1">
      <ul className="divide-y">
        {places.data.data.map((place) => (
          <Place key={place.id ?? place.name_th} place={place} />
        ))}
      </ul>
    </Card>
  );
}

function Place({ place }: { place: Detail<'/api/user/get/service_point'>['data'][number] }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(place, 'name');
  return (
    <li className="flex items-center gap-3 py-3">
      <MapPin aria-hidden className="size-5 shrink-0 text-brand-text" />
      <div className="min-w-0 flex-1">
        <h2 className="text-row font-medium">{name}</h2>
        {place.phone && <p className="text-sm">{phone(place.phone)}</p>}
        <p className="text-caption text-quiet">{text(place, 'hours') || text(place, 'address')}</p>
      </div>
      {place.phone && (
        <Button asChild variant="soft" size="md">
          <a href={tel(place.phone)} aria-label={t`Call ${name}`}>
            <Phone aria-hidden />
            {t`Call`}
          </a>
        </Button>
      )}
    </li>
  );
}

/** Approved meanwhile, or here with the wrong account. */
function Other() {
  const { t } = useLingui();
  const profile = useProfile();
  const { path } = useArea();
  const { leave, leaving } = useSignOut('agent', path('home'));

  const askAgain = async () => {
    const { data } = await profile.refetch();
    if (data && !data.agent) toast({ tone: 'info', title: t`The shop has not approved you yet` });
  };
  return (
    <div className="mt-2 grid grid-cols-1 gap-2">
      <Button variant="outline" disabled={profile.isFetching} onClick={() => void askAgain()}>
        <RefreshCw aria-hidden />
        {t`I have been approved`}
      </Button>
      <Button variant="ghost" disabled={leaving} onClick={leave}>
        {t`Use another LINE account`}
      </Button>
    </div>
  );
}
