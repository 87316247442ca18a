import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, useBrand, useTexts } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { MemberFace } from '@wlv/ui/member-face';
import { Skeleton } from '@wlv/ui/skeleton';
import { AreaLink, useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { Apply } from './apply.tsx';
import { type CardType, useCardTypes, useStanding, useValidity } from './standing.ts';

/** Applying for a card: which one, then the form that it asks for. */
export function RegisterMemberPage() {
  const { t } = useLingui();
  const standing = useStanding();
  const types = useCardTypes();
  const { card } = useSearch<{ card?: string }>();
  const { go } = useArea();
  const text = useTexts();
  const failed = [standing, types].find((one) => one.isError);

  if (failed) {
    return (
      <InnerPage title={t`Become a member`} parent="profile">
        <Failure title={t`This did not load`} error={failed.error} onRetry={() => void failed.refetch()} />
      </InnerPage>
    );
  }
  if (!standing.data || !types.data) {
    return (
      <InnerPage title={t`Become a member`} parent="profile">
        <Skeleton className="h-56 rounded-card" />
      </InnerPage>
    );
  }
  const chosen = types.data.data.find(({ id }) => id === card);
  if (chosen) {
    const name = text(chosen, 'name');
    return (
      <InnerPage title={t`Apply for ${name}`} parent="registermember" foot>
        <Apply standing={standing.data} type={chosen} onSent={() => void go('member')} />
      </InnerPage>
    );
  }
  return (
    <InnerPage title={t`Choose a card`} parent="profile">
      {types.data.data.length === 0 ? (
        <p className="py-10 text-center text-muted-foreground">{t`The shop offers no member card at the moment.`}</p>
      ) : (
        <ul className="grid grid-cols-1 gap-5 pb-8 sm:grid-cols-2">
          {types.data.data.map((type) => (
            <li key={type.id}>
              <Offered type={type} />
            </li>
          ))}
        </ul>
      )}
      {standing.data.card && (
        <Button asChild wide variant="outline">
          <AreaLink page="member">{t`Back to your card`}</AreaLink>
        </Button>
      )}
    </InnerPage>
  );
}

function Offered({ type }: { type: CardType }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const validity = useValidity();
  const name = text(type, 'name');
  return (
    <div className="grid gap-3">
      <MemberFace
        mark={<BrandMark size={40} onBand />}
        shop={brand}
        line={validity(type)}
        type={name}
        name={name}
        number={type.price_satang ? baht(type.price_satang) : t`Free`}
        picture={pictureURL(type.picture_id, 800)}
      />
      <Button asChild wide>
        <AreaLink page="registermember" search={{ card: type.id }}>{t`Apply for ${name}`}</AreaLink>
      </Button>
    </div>
  );
}
