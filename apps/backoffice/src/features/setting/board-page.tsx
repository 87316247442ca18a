import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Body, call, type Detail, query } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { baht } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Calculator } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { FormSection, NumberField, PercentField, SwitchField } from '../../form/fields.tsx';
import { SettingPage } from './setting-form.tsx';

type Values = Body<'/api/owner/setting/board/save'>;
type Saved = Detail<'/api/owner/setting/board/get'>;

const read = query('/api/owner/setting/board/get', {});
/** Of a price, in hundredths of a percent, that shop and platform take together. */
const mostParts = 50_00;
const examplePrice = 1000_00;

/** Whether customers sell vouchers on, and on which terms. */
export function BoardSettingPage() {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  const { fee_basis_points: fee, ...values } = data;
  const feePercent = fee / 100;
  const most = (mostParts - fee) / 100;
  return (
    <SettingPage<Values, Saved>
      title={t({ message: 'Resale', context: 'settings' })}
      line={t`Which vouchers can be handed on, and how often, is decided by each voucher type.`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`Customers see it at once.` }}
      className="max-w-[880px]"
      limits="/api/owner/setting/board/save"
      values={values}
      send={(next) => call('/api/owner/setting/board/save', next)}
      take={(now) => client.setQueryData(read.queryKey, now)}
      question={{
        asks: (next) => data.open && !next.open,
        title: t`Close the board?`,
        line: t`All offers end at once, and their sellers can use the vouchers again. What is sold already stays sold.`,
        yes: t`Close the board`,
        no: t`Leave it open`,
      }}
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <SwitchField
          name="open"
          label={t`Customers can sell vouchers on`}
          help={t`They offer what they do not need on a board in the shop's app, and other customers buy it from their Wallet. The buyer gets a new code. While this is off, nobody sees the board.`}
        />
        <FormSection title={t`Who gets what of a price`}>
          <div className="max-w-72">
            <PercentField
              name="royalty_basis_points"
              label={t`The shop's part`}
              help={t`From 0 to ${most}%. The platform takes ${feePercent}% besides.`}
            />
          </div>
          <Example fee={fee} />
        </FormSection>
        <FormSection title={t`What can be offered`}>
          <div className="grid gap-4 sm:grid-cols-2">
            <NumberField
              name="cap_percent"
              label={t`A price is at most`}
              help={t`Of what was paid to the shop for the voucher. From 1 to 100%. A voucher type may say otherwise.`}
              unit="%"
            />
            <NumberField
              name="days"
              label={t`An offer stays on the board`}
              help={t`From 1 to 90 days, and until the day before the voucher's last one. What nobody buys by then can be used again by itself.`}
              unit={t`days`}
            />
          </div>
          <SwitchField
            name="sold_out_only"
            label={t`Only what the shop does not sell any more`}
            help={t`A voucher can be offered when its package is sold out or off the market.`}
          />
          <p className="text-caption text-quiet">
            {t`Offers that are on the board already keep their price, their parts and their days.`}
          </p>
        </FormSection>
      </Card>
    </SettingPage>
  );
}

/** Who gets what of one price, by what the form says now. A part that is not possible has no example. */
function Example({ fee }: { fee: number }) {
  const royalty = useWatch({ name: 'royalty_basis_points' }) as number | null;
  if (royalty === null || !(royalty >= 0 && royalty + fee <= mostParts)) return null;
  // As the server does: each part is rounded half up, and the seller has the rest.
  const part = (basisPoints: number) => Math.floor((examplePrice * basisPoints + 5000) / 10_000);
  const [shop, platform] = [part(royalty), part(fee)];
  const [price, toSeller, toShop, toPlatform] = [examplePrice, examplePrice - shop - platform, shop, platform].map(
    baht,
  );
  return (
    <Note icon={<Calculator aria-hidden />}>
      <p aria-live="polite">
        <Trans>
          Of {price} the seller gets <strong className="font-semibold text-foreground">{toSeller}</strong> into the
          Wallet, the shop {toShop} and the platform {toPlatform}.
        </Trans>
      </p>
    </Note>
  );
}
