import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { count } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Picture } from '@wlv/ui/picture';
import { EmptyState } from '@wlv/ui/state';
import { usePerson } from '../../access/person.ts';
import type { Sales } from './dashboard.ts';

/** The packages that brought most, with how many of each were sold. */
export function BestSellers({ packages }: { packages: Sales['packages'] }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const most = Math.max(1, ...packages.map(({ quantity }) => quantity));
  const seesPackages = can('salepackage', 'v');
  return (
    <Card office className="min-w-0 px-[18px] py-4">
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-base font-semibold">{t`Best sellers`}</h2>
        {seesPackages && (
          <Link
            to="/owner/$screen"
            params={{ screen: 'packagelist' }}
            search={{ sort: '-sold' }}
            className="text-caption font-medium text-brand-text"
          >
            {t`See all`}
          </Link>
        )}
      </div>
      {packages.length ? (
        <ul>
          {packages.map((one) => (
            <Seller key={one.id} one={one} most={most} />
          ))}
        </ul>
      ) : (
        <EmptyState
          className="px-2! py-3! [&>svg]:h-[92px]"
          title={t`Nothing sold in this time`}
          line={t`What sells best will stand here.`}
          action={
            seesPackages && (
              <Button asChild variant="outline" size="office">
                <Link to="/owner/$screen" params={{ screen: 'packagelist' }}>{t`To the packages`}</Link>
              </Button>
            )
          }
        />
      )}
    </Card>
  );
}

function Seller({ one, most }: { one: Sales['packages'][number]; most: number }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(one, 'name');
  const sold = count(one.quantity);
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Picture
        src={pictureURL(one.picture, 400)}
        mark={<Mark size={24} />}
        className="h-10 w-12 shrink-0 rounded-chip"
      />
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3">
          <span className="min-w-0 truncate font-medium" title={name}>
            {name}
          </span>
          <span className="shrink-0 text-muted-foreground">{t`${sold} sold`}</span>
        </p>
        <Meter value={one.quantity / most} className="mt-1" />
      </div>
    </li>
  );
}
