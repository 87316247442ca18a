import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { useTexts } from '@wlv/client/page';
import { Band } from '@wlv/ui/band';
import { BottomTab } from '@wlv/ui/bottom-tabs';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { FeatureTicket } from '@wlv/ui/feature-ticket';
import { FilterPill } from '@wlv/ui/filter-pill';
import { date, dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { MovementRow } from '@wlv/ui/movement-row';
import { OrgMark } from '@wlv/ui/org-mark';
import { PackageCard } from '@wlv/ui/package-card';
import { Price } from '@wlv/ui/price';
import { QRCode } from '@wlv/ui/qr-code';
import { SquareRing } from '@wlv/ui/ring';
import { Ticket } from '@wlv/ui/ticket';
import { VoucherTicket } from '@wlv/ui/voucher-ticket';
import { Plus, QrCode, Search, ShoppingBag, Store, Ticket as TicketIcon, User } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import type { Settings } from './setting.ts';

export type PreviewName = 'market' | 'voucher' | 'qr' | 'receipt';

/** Screens of the customers, shown with what the organisation really sells. */
export const previews: Record<PreviewName, { Face: () => React.ReactNode }> = {
  market: { Face: Market },
  voucher: { Face: Vouchers },
  qr: { Face: Code },
  receipt: { Face: Receipt },
};

function useShop() {
  const text = useTexts();
  const [name_th, name_en, tagline_th, tagline_en, logo] = useWatch<Settings>({
    name: ['name_th', 'name_en', 'tagline_th', 'tagline_en', 'logo_id'],
  }) as [string, string, string, string, string | null];
  const { data } = useQuery({
    ...query('/api/owner/get/salepackage', { filter: { status: 5 }, sort: '-sold', limit: 3 }),
    staleTime: 300_000,
    retry: false,
  });
  const goods = (data?.data ?? []).map((one) => ({
    id: one.id ?? '',
    name: text(one, 'name'),
    picture: pictureURL(one.picture_id, 400),
    price: one.price_satang ?? 0,
    full: one.list_price_satang ?? null,
    sold: one.sold ?? 0,
  }));
  return {
    name: text({ name_th, name_en }, 'name'),
    tagline: text({ tagline_th, tagline_en }, 'tagline'),
    logo: pictureURL(logo, 400),
    goods,
  };
}

type Shop = ReturnType<typeof useShop>;

function Head({ shop, children }: { shop: Shop; children?: React.ReactNode }) {
  return (
    <Band className="px-4 pb-7 pt-4">
      <div className="flex items-center gap-3">
        <OrgMark logo={shop.logo} name={shop.name} size={42} onBand />
        <div className="min-w-0 flex-1">
          <p className="truncate text-base font-semibold">{shop.name}</p>
          <p className="truncate text-caption text-band-quiet">{shop.tagline}</p>
        </div>
        <span className="flex h-11 items-center gap-2 rounded-full bg-band-shade py-1.5 pl-3.5 pr-1.5 text-row">
          <Price satang={185_000} />
          <span className="grid size-8 place-items-center rounded-full bg-band-foreground text-band">
            <Plus aria-hidden className="size-[18px]" />
          </span>
        </span>
      </div>
      {children}
    </Band>
  );
}

function Page({ children }: { children: React.ReactNode }) {
  return <div className="min-h-screen bg-background pb-24">{children}</div>;
}

function PhoneTabs() {
  const { t } = useLingui();
  return (
    <div className="fixed inset-x-0 bottom-0 grid h-20 grid-cols-4 bg-card px-2 pb-3.5 pt-2 shadow-foot">
      <BottomTab icon={<Store aria-hidden />} label={t`Market`} active />
      <BottomTab icon={<TicketIcon aria-hidden />} label={t`Vouchers`} active={false} />
      <BottomTab icon={<ShoppingBag aria-hidden />} label={t`Cart`} active={false} badge={2} />
      <BottomTab icon={<User aria-hidden />} label={t`Profile`} active={false} />
    </div>
  );
}

function Market() {
  const { t } = useLingui();
  const shop = useShop();
  const [first, ...rest] = shop.goods;
  const mark = <OrgMark logo={shop.logo} name={shop.name} size={48} className="opacity-60" />;
  return (
    <Page>
      <Head shop={shop}>
        <Input
          readOnly
          quiet
          className="mt-4"
          before={<Search aria-hidden className="size-5" />}
          aria-label={t`Search packages`}
          placeholder={t`Search packages`}
        />
      </Head>
      <div className="flex gap-2 overflow-hidden px-4 py-3.5">
        <FilterPill on>{t`All`}</FilterPill>
        <FilterPill>{t`Best selling`}</FilterPill>
        <FilterPill>{t`New`}</FilterPill>
      </div>
      <div className="px-4">
        <FeatureTicket
          name={first?.name ?? t`Your best package`}
          picture={first?.picture ?? null}
          mark={mark}
          badge={t`Recommended`}
          priceSatang={first?.price ?? 129_000}
          listPriceSatang={first?.full ?? null}
          action={<Button size="sm">{t`Buy now`}</Button>}
        />
        <h2 className="pb-2.5 pt-5 text-h2 font-semibold">{t`Best selling`}</h2>
        <div className="grid grid-cols-2 gap-3">
          {rest.map((one) => (
            <PackageCard
              key={one.id}
              name={one.name}
              picture={one.picture}
              mark={mark}
              priceSatang={one.price}
              meta={t`${one.sold} sold`}
              link={(content) => <span>{content}</span>}
            />
          ))}
        </div>
      </div>
      <PhoneTabs />
    </Page>
  );
}

function Vouchers() {
  const { t } = useLingui();
  const shop = useShop();
  const until = date(Date.now() + 90 * 86_400_000);
  return (
    <Page>
      <Head shop={shop} />
      <div className="grid gap-3.5 px-4 pt-4">
        <h1 className="text-h1 font-semibold">{t`My vouchers`}</h1>
        {(shop.goods.length ? shop.goods : [{ id: '-', name: t`Your best package`, picture: null }]).map((one, i) => (
          <VoucherTicket
            key={one.id}
            name={one.name}
            place={shop.name}
            picture={one.picture}
            mark={<OrgMark logo={shop.logo} name={shop.name} size={40} className="opacity-60" />}
            chip={<Chip tone="ok">{t`Ready`}</Chip>}
            kind="item"
            left={3 - i}
            total={3}
            expiry={t`Until ${until}`}
            link={(content) => <span>{content}</span>}
            action={
              <Button size="xs" variant="soft">
                <QrCode aria-hidden />
                {t`Use`}
              </Button>
            }
          />
        ))}
      </div>
      <PhoneTabs />
    </Page>
  );
}

/** A code of the right length that opens nothing. */
const sampleCode = 'V1.SAMPLE.AAAAAAAAAAAAAAAAAAAAAA.00000000.AAAAAAAAAAAAAAAAAAAAAA';

function Code() {
  const { t } = useLingui();
  const shop = useShop();
  return (
    <div className="grid min-h-screen content-start gap-5 bg-band px-4 pt-6 text-band-foreground">
      <p className="text-center text-h2 font-semibold">{shop.goods[0]?.name ?? t`Your best package`}</p>
      <div className="grid justify-items-center gap-4 rounded-sheet bg-white p-4 text-[#15130f]">
        <div className="w-[320px]">
          <SquareRing value={0.6}>
            <QRCode text={sampleCode} size={252} label={t`A sample code`} />
          </SquareRing>
        </div>
        <p className="text-row">{t`The code changes in 18 seconds`}</p>
        <p className="text-code font-semibold tracking-[.12em]">7K3M 92XP</p>
      </div>
      <Button variant="shade" wide>{t`Not now`}</Button>
    </div>
  );
}

function Receipt() {
  const { t } = useLingui();
  const shop = useShop();
  const [first] = shop.goods;
  const price = first?.price ?? 129_000;
  return (
    <Page>
      <Head shop={shop} />
      <div className="grid gap-4 px-4 pt-5">
        <Ticket
          stub={72}
          foot={
            <>
              <span className="flex-1 text-base font-medium">{t`Paid`}</span>
              <Price satang={price} className="text-money text-brand-text" />
            </>
          }
        >
          <div className="grid gap-1 p-4">
            <p className="text-h2 font-semibold">{first?.name ?? t`Your best package`}</p>
            <p className="text-caption text-quiet">{dateTime(Date.now())}</p>
          </div>
        </Ticket>
        <div className="rounded-card bg-card py-1 shadow-card">
          <MovementRow
            icon={<ShoppingBag aria-hidden />}
            tone="brand"
            title={first?.name ?? t`Your best package`}
            line={t`Purchase`}
            satang={-price}
            afterSatang={185_000}
            after={(text) => text}
          />
        </div>
      </div>
      <PhoneTabs />
    </Page>
  );
}
