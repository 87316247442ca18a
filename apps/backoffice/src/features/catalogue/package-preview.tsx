import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Fact } from '@wlv/ui/fact';
import { date, discountPercent } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { clsx } from 'clsx';
import { CalendarCheck, Moon, ShieldCheck, Sun } from 'lucide-react';
import { useState } from 'react';
import { useColours } from '../../preview/colours.ts';
import { Phone } from '../../preview/phone.tsx';
import { useLookup } from '../../resource/lookup.ts';
import type { PackagePart, PackageValues } from './package.ts';

/** The product page as the customer will see it, while it is being written. */
export function PackagePreview({ values }: { values: PackageValues }) {
  const { t } = useLingui();
  const [dark, setDark] = useState(false);
  return (
    <>
      <div className="mb-3.5 flex items-center justify-between">
        <span className="font-medium text-muted-foreground">{t`As the customer sees it`}</span>
        <button
          type="button"
          aria-pressed={dark}
          aria-label={t`Show it at night`}
          onClick={() => setDark(!dark)}
          className="grid size-9 place-items-center rounded-small hover:bg-foreground/5"
        >
          {dark ? <Sun aria-hidden className="size-[18px]" /> : <Moon aria-hidden className="size-[18px]" />}
        </button>
      </div>
      <div className="grid justify-center p-[7px]">
        <Phone {...useColours()} dark={dark} label={t`As the customer sees it`} width={342} height={664}>
          <ProductPage values={values} />
        </Phone>
      </div>
    </>
  );
}

function ProductPage({ values }: { values: PackageValues }) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const price = known(values.price_satang);
  const full = known(values.list_price_satang);
  const discount = full ? discountPercent(price, full) : 0;
  return (
    <div className="min-h-screen bg-card pb-28">
      <div className="relative h-[260px]">
        <Picture
          src={pictureURL(values.picture_id, 800)}
          mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={96} className="opacity-60" />}
          className="size-full"
        />
      </div>
      <div className="relative -mt-7 rounded-t-sheet bg-card px-5 py-[22px]">
        <div className="flex min-h-[26px] gap-2">
          {discount > 0 && <Chip tone="second">{t`${discount}% off`}</Chip>}
          {text(values, 'badge') && <Chip tone="brand">{text(values, 'badge')}</Chip>}
        </div>
        <h1 className="mt-2.5 text-[22px] font-semibold leading-[35px]">{text(values, 'name') || t`Name`}</h1>
        <div className="mt-1.5 flex items-baseline gap-2.5">
          <Price satang={price} className="text-money text-brand-text" />
          {full > price && <Price satang={full} struck />}
        </div>
        <Received parts={values.parts ?? []} />
        <div className="mt-2.5">
          {org?.protected && <Fact icon={<ShieldCheck aria-hidden />} title={t`Your money is safe until you use it`} />}
          {values.sale_to && /^\d{4}-/.test(values.sale_to) && (
            <Fact icon={<CalendarCheck aria-hidden />} title={t`On sale until ${date(values.sale_to)}`} />
          )}
        </div>
        {text(values, 'description') && (
          <p className="mt-3 whitespace-pre-line text-row">{text(values, 'description')}</p>
        )}
      </div>
      <div className="fixed inset-x-0 bottom-0 bg-card px-4 pb-6 pt-3 shadow-foot">
        <Button wide>
          {t`Buy now`} <span aria-hidden>·</span> <Price satang={price} />
        </Button>
      </div>
    </div>
  );
}

/** A price that is being typed may be no number yet. */
const known = (satang: number | null) => (satang && !Number.isNaN(satang) ? satang : 0);

function Received({ parts }: { parts: PackagePart[] }) {
  const { t } = useLingui();
  const text = useTexts();
  const types = useLookup('vouchertype');
  const gifts = useLookup('giftvoucher');
  return (
    <section
      className={clsx(
        'mt-2.5 grid gap-2 rounded-touch bg-muted px-4 py-3.5',
        !parts.some((part) => part.new_voucher_type?.name_th !== '') && 'hidden',
      )}
    >
      <p className="text-caption font-medium text-muted-foreground">{t`What you get`}</p>
      {parts.map((part, i) => {
        const id = part.voucher_type_id ?? part.gift_voucher_id ?? '';
        const added = part.new_voucher_type;
        return (
          <p key={id || i} className="flex justify-between gap-4 text-row">
            <span className="min-w-0 font-medium">
              {added ? text(added, 'name') : (types.label(id) ?? gifts.label(id))}
            </span>
            <span className="shrink-0 font-semibold">
              {added ? (
                <Plural value={added.items * part.quantity} one="# time" other="# times" />
              ) : (
                <Plural value={part.quantity} one="# piece" other="# pieces" />
              )}
            </span>
          </p>
        );
      })}
    </section>
  );
}
