import { useLingui } from '@lingui/react/macro';
import { baht, discountPercent } from '@wlv/ui/format';
import { useWatch } from 'react-hook-form';
import {
  BothLanguages,
  FormSection,
  InstantField,
  MoneyField,
  NumberField,
  SwitchField,
  TextField,
} from '../../form/fields.tsx';
import { ManyField } from '../../form/lookup-fields.tsx';
import { PictureField } from '../../form/picture-field.tsx';
import { PackageParts } from './package-parts.tsx';
import { PackageRefunds } from './package-refunds.tsx';

/** `partsId` is the id of what adds to the package, which has the focus when nothing is in it. */
export function PackageFields({ partsId }: { partsId?: string }) {
  const { t } = useLingui();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[152px_1fr]">
        <PictureField name="picture_id" label={t`Picture`} aspect={4 / 3} className="max-w-60" />
        <div className="grid content-start gap-3">
          <TextField name="name_th" label={t`Name in Thai`} />
          <TextField name="name_en" label={t`Name in English`} />
        </div>
      </div>
      <Prices />
      <PackageParts id={partsId} />
      <Stock />
      <PackageRefunds />
      <FormSection title={t`In the market`}>
        <ManyField name="tags" table="tags" label={t`Tags`} none={t`No tag yet`} />
        <BothLanguages name="badge" label={t`Badge on the picture`} />
        <SwitchField name="featured" label={t`Put it first`} help={t`Shown large at the top of the market`} />
      </FormSection>
      <FormSection title={t`Description`}>
        <BothLanguages name="description" label={t`Description`} long />
        <TextField name="code" label={t`Code`} help={t`Empty: we make one.`} />
      </FormSection>
    </>
  );
}

function Prices() {
  const { t } = useLingui();
  const [price, full] = useWatch({ name: ['price_satang', 'list_price_satang'] }) as [number | null, number | null];
  const discount = price && full ? discountPercent(price, full) : 0;
  return (
    <FormSection title={t`Price`}>
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          name="price_satang"
          label={t`Sale price`}
          help={price ? t`The customer pays exactly ${baht(price)}` : t`The customer pays exactly this`}
        />
        <MoneyField
          name="list_price_satang"
          label={t`Full price`}
          help={discount ? t`Shown as ${discount}% off` : t`Shown struck through; may be empty`}
        />
      </div>
    </FormSection>
  );
}

function Stock() {
  const { t } = useLingui();
  return (
    <FormSection title={t`Number and time`}>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          name="quantity"
          label={t`To sell in all`}
          unit={t`packages`}
          placeholder={t`Unlimited`}
          help={t`At least as many as are sold already`}
        />
        <NumberField
          name="per_customer"
          label={t`One customer may buy`}
          unit={t`packages`}
          placeholder={t`Unlimited`}
        />
        <InstantField
          name="sale_from"
          edge="first"
          label={t`Sale begins`}
          help={t`From 00:00 Thai time; empty: at once`}
        />
        <InstantField name="sale_to" edge="last" label={t`Sale ends`} help={t`Until 23:59 Thai time; empty: never`} />
      </div>
    </FormSection>
  );
}
