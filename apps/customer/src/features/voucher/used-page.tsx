import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { Mark, useBrand, useTexts, useTitle } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { baht, date, time } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { mostDiscs, PunchCard } from '@wlv/ui/punch-card';
import { Ticket } from '@wlv/ui/ticket';
import { TopBar } from '@wlv/ui/top-bar';
import { MapPin, Ticket as TicketIcon } from 'lucide-react';
import { useEffect } from 'react';
import { AreaLink } from '../../area.tsx';
import { useBack } from '../../shell/inner.tsx';
import type { Opened } from './use-session.ts';
import type { VoucherDetail } from './voucher.ts';

/** Staff have confirmed: what was used, where and when, and what is left. */
export function UsedPage({
  use,
  usedAt,
  voucher,
}: {
  use: Opened;
  usedAt: string;
  voucher: VoucherDetail | undefined;
}) {
  const { t } = useLingui();
  useTitle(t`Voucher successfully used`);
  useFreshVouchers();
  const back = useBack('activevoucher');
  const day = date(usedAt);
  const clock = time(usedAt);
  const amount = use.kind === 'baht' ? baht(use.items) : plural(use.items, { one: '# item', other: '# items' });
  const left = useLeft(use);
  const discs = use.kind === 'item' && use.items_total <= mostDiscs;

  return (
    <div className="pb-44">
      <Band>
        <TopBar title="" closes onBack={back} />
        <div className="mx-auto max-w-[440px] px-8 pb-3">
          <div role="status" className="pb-6 text-center">
            <h1 className="text-[26px] font-semibold leading-[40px]">{t`Used ${amount}`}</h1>
            <p className="text-sm text-band-quiet">{t`${day} at ${clock}`}</p>
          </div>
          {discs ? (
            <PunchCard left={use.items_left} justUsed={use.items} total={use.items_total} mark={<Mark size={24} />}>
              <p className="text-h1 font-semibold">{left}</p>
            </PunchCard>
          ) : (
            <p className="pb-6 text-center text-h1 font-semibold">{left}</p>
          )}
        </div>
      </Band>
      <div className="mx-auto grid max-w-[440px] grid-cols-1 gap-3.5 px-4 pt-3.5">
        <WhatWasUsed use={use} voucher={voucher} />
        <Card className="flex items-center gap-3.5 p-4">
          <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground">
            <MapPin aria-hidden className="size-5" />
          </span>
          <WhereAndByWhom use={use} />
        </Card>
      </div>
      <ActionFoot className="grid grid-cols-1 gap-2">
        <Button asChild wide>
          <AreaLink page={use.items_left > 0 ? `activevoucher/${use.voucher_id}` : 'activevoucher'} replace>
            <TicketIcon aria-hidden />
            {use.items_left > 0 ? t`See what is left` : t`See my vouchers`}
          </AreaLink>
        </Button>
        {voucher && <BuyAgain id={voucher.package_id} />}
      </ActionFoot>
    </div>
  );
}

function useLeft({ kind, items_left, items_total }: Opened) {
  const { t } = useLingui();
  if (!items_left) return t`All of it is used`;
  const [rest, all] = [baht(items_left), baht(items_total)];
  if (kind === 'baht') return t`${rest} of ${all} left`;
  return t`${items_left} of ${plural(items_total, { one: '# item', other: '# items' })} left`;
}

function WhatWasUsed({ use, voucher }: { use: Opened; voucher: VoucherDetail | undefined }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  return (
    <Ticket
      stub={72}
      foot={
        voucher && (
          <>
            <span className="min-w-0 flex-1">
              <span className="block text-caption text-quiet">{t`Voucher code`}</span>
              <span className="block truncate font-semibold">{voucher.code}</span>
            </span>
            <span className="shrink-0 text-right">
              <span className="block text-caption text-quiet">{t`Valid until`}</span>
              <span className="block font-semibold">{date(voucher.valid_until)}</span>
            </span>
          </>
        )
      }
    >
      <div className="flex items-center gap-3.5 px-4 py-3.5">
        <Picture
          src={pictureURL(voucher?.picture, 160)}
          mark={<Mark size={32} />}
          className="size-[68px] shrink-0 rounded-tile"
        />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{text(use, 'name')}</p>
          <p className="truncate text-caption text-quiet">{brand}</p>
        </div>
      </div>
    </Ticket>
  );
}

function WhereAndByWhom({ use }: { use: Opened }) {
  const { t } = useLingui();
  const text = useTexts();
  const { staff } = use;
  return (
    <div className="min-w-0">
      <p className="font-medium">{text(use, 'service_point_name')}</p>
      <p className="text-caption text-quiet">{t`Confirmed by ${staff}`}</p>
    </div>
  );
}

/** While what the voucher was bought as is still on sale. */
function BuyAgain({ id }: { id: string }) {
  const { t } = useLingui();
  const sold = useQuery(query('/api/user/salepackage/detail', { id }));
  if (!sold.data) return null;
  return (
    <Button asChild variant="ghost" wide>
      <AreaLink page={`market/${id}`}>
        {t`Buy it again`} <Price satang={sold.data.price_satang} />
      </AreaLink>
    </Button>
  );
}

/** The lists are read anew once; the stored secret stays until its time is over, so that a reload shows this again. */
function useFreshVouchers() {
  const client = useQueryClient();
  useEffect(() => {
    for (const path of ['/api/user/voucher/list', '/api/user/history/list']) {
      void client.invalidateQueries({ queryKey: [path] });
    }
  }, [client]);
}
