import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ApiError, isFault } from '@wlv/client/api-error';
import { type Detail, invalidates, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { Field } from '@wlv/ui/field';
import { amount, baht, date, lastDay } from '@wlv/ui/format';
import { MoneyInput } from '@wlv/ui/money-input';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, Tag } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { HowMany } from '../../shop/how-many.tsx';
import { share } from './offer.ts';
import { SplitOf } from './split-of.tsx';

type Voucher = Detail<'/api/user/voucher/detail'>;
type Terms = Detail<'/api/user/trade/check'>;

/** The slider's steps, in satang; a typed price may be anything. */
const step = 10_00;

export function SellPage() {
  const { t } = useLingui();
  const { voucherId = '' } = useParams<'voucherId'>();
  const voucher = useQuery(query('/api/user/voucher/detail', { id: voucherId }));
  return (
    <InnerPage title={t`Sell it on`} parent={`activevoucher/${voucherId}`} foot>
      {voucher.isPending && <Skeleton className="h-[340px] rounded-card" />}
      {voucher.isError && (
        <Failure title={t`The voucher did not load`} error={voucher.error} onRetry={() => void voucher.refetch()} />
      )}
      {voucher.data && <Sell voucher={voucher.data} />}
    </InnerPage>
  );
}

function Sell({ voucher }: { voucher: Voucher }) {
  const [items, setItems] = useState(voucher.items_left);
  const enough = items >= 1 && items <= voucher.items_left;
  const terms = useQuery({
    ...query('/api/user/trade/check', { voucher_id: voucher.id, items: enough ? items : voucher.items_left }),
    placeholderData: keepPreviousData,
    retry: (count, error) => count < 2 && !(error instanceof ApiError),
  });
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      <WhatIsSold voucher={voucher} items={items} onChange={setItems} wrong={!enough} />
      {terms.isPending && <Skeleton className="h-[220px] rounded-card" />}
      {terms.isError && <Refused voucher={voucher} error={terms.error} onRetry={() => void terms.refetch()} />}
      {terms.data && !terms.isError && (
        <PriceForm
          key={terms.data.most_satang}
          voucher={voucher}
          items={items}
          terms={terms.data}
          ready={enough && !terms.isPlaceholderData}
        />
      )}
    </div>
  );
}

/** Why it cannot be sold on now, with the way to what is missing. */
function Refused({ voucher, error, onRetry }: { voucher: Voucher; error: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  const { path } = useArea();
  if (isFault(error, 'offer.phone_first')) {
    return (
      <EmptyState
        title={t`Verify your mobile number first`}
        line={t`Everybody who sells on the board has verified a mobile number. It takes a minute, once.`}
        action={
          <Button asChild>
            <AreaLink page="profile/mobile" search={{ return: path(`activevoucher/${voucher.id}/sell`) }}>
              {t`Verify the number`}
            </AreaLink>
          </Button>
        }
      />
    );
  }
  if (error instanceof ApiError && isFault(error, 'offer.too_early')) {
    const { until } = error.detail as { until: string };
    const day = date(until);
    return (
      <EmptyState
        title={t`It can be sold on from ${day}`}
        line={t`It was paid for by card. A bank has 14 days to report a stolen one, so the board waits for that.`}
      />
    );
  }
  if (error instanceof ApiError && error.code >= 400 && error.code < 500) return <FaultNote error={error} />;
  return <Failure title={t`The terms did not load`} error={error} onRetry={onRetry} />;
}

function WhatIsSold({
  voucher,
  items,
  onChange,
  wrong,
}: {
  voucher: Voucher;
  items: number;
  onChange: (items: number) => void;
  wrong: boolean;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const until = date(voucher.valid_until);
  const { kind, items_left: left, transfer_together: together } = voucher;
  const money = baht(left);
  return (
    <Ticket
      stub={72}
      foot={
        together || left === 1 ? (
          <div className="min-w-0 flex-1">
            <p className="font-semibold">
              {kind === 'baht'
                ? t`Sell all of ${money}`
                : plural(left, { one: 'Sell # time', other: 'Sell all # times' })}
            </p>
            {together && <p className="text-caption text-quiet">{t`All of its kind from the same order go along`}</p>}
          </div>
        ) : (
          <HowMany
            voucher={voucher}
            name={kind === 'baht' ? t`Amount to sell` : t`How many to sell`}
            items={items}
            onChange={onChange}
            wrong={wrong}
          />
        )
      }
    >
      <div className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
        <Picture
          src={pictureURL(voucher.picture, 160)}
          mark={<Mark size={32} />}
          className="size-14 shrink-0 rounded-[12px]"
        />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{text(voucher, 'name')}</p>
          <p className="text-caption text-quiet">{t`Valid until ${until}`}</p>
        </div>
      </div>
    </Ticket>
  );
}

/** 3 % of 300 basis points. */
const percentOf = (basisPoints: number) => `${amount(basisPoints).replace(/\.?0+$/, '')}%`;

function PriceForm({
  voucher,
  items,
  terms,
  ready,
}: {
  voucher: Voucher;
  items: number;
  terms: Terms;
  ready: boolean;
}) {
  const { t } = useLingui();
  const { go } = useArea();
  const { least_satang: least, most_satang: most, cap_percent: cap } = terms;
  const [typed, setPrice] = useState<number | null>(most);
  const [asked, setAsked] = useState(false);
  const offer = useMutation({
    mutationFn: (price: number) =>
      callOnce('/api/user/trade/create', { voucher_id: voucher.id, items, price_satang: price }),
    onSuccess: async (made, ...rest) => {
      await go(`trade/${made.id}`, {}, { replace: true });
      await invalidates('/api/user/voucher/list', '/api/user/voucher/detail', '/api/user/trade/own')(made, ...rest);
    },
  });
  if (most < least) {
    return (
      <EmptyState
        title={t`It cannot be sold on`}
        line={t`Nothing was paid for it: it came along for nothing. You can give it as a gift, if its rule allows.`}
      />
    );
  }
  const given = voucher.hands?.at(-1) === 'gift'; // then what it cost is not for its holder to read
  const price = typed ?? Number.NaN;
  const fits = Number.isSafeInteger(price) && price >= least && price <= most;
  const shown = fits ? price : most;
  const fee = share(shown, terms.fee_basis_points);
  const royalty = share(shown, terms.royalty_basis_points);
  const [lowest, highest, paid] = [baht(least), baht(most), baht(terms.paid_satang)];
  const day = lastDay(terms.expires_at);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (fits && ready && !offer.isPending) offer.mutate(price);
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
      <Card className="grid grid-cols-1 gap-3 px-4 py-3.5">
        <Field
          label={t`Your price`}
          help={t`From ${lowest} to ${highest}`}
          error={!fits && (asked || typed !== null) ? t`Enter a price from ${lowest} to ${highest}.` : undefined}
        >
          <MoneyInput name="price" value={typed} onChange={setPrice} />
        </Field>
        {most - least >= step && (
          <input
            type="range"
            aria-label={t`Your price`}
            min={Math.ceil(least / step) * step}
            max={most}
            step={step}
            value={shown}
            onChange={({ target }) => setPrice(most - Number(target.value) < step ? most : Number(target.value))}
            className="h-11 w-full accent-brand-mark"
          />
        )}
        {!given && (
          <p className="text-caption text-quiet">
            {cap === 100
              ? t`At most what was paid for it: ${paid}`
              : t`The shop allows at most ${cap}% of what was paid for it: ${paid}`}
          </p>
        )}
      </Card>
      <SplitOf
        price={shown}
        split={{ fee_satang: fee, royalty_satang: royalty, net_satang: shown - fee - royalty }}
        percents={{ fee: percentOf(terms.fee_basis_points), royalty: percentOf(terms.royalty_basis_points) }}
      />
      <Fact
        icon={<CalendarClock aria-hidden />}
        title={t`Offered until ${day}`}
        line={t`You can take it off sale until somebody buys it. You cannot use it meanwhile.`}
      />
      <FaultNote error={offer.error} />
      <ActionFoot>
        <Button type="submit" wide disabled={offer.isPending || !ready} aria-busy={offer.isPending}>
          <Tag aria-hidden />
          {offer.isPending ? (
            t`One moment…`
          ) : (
            <Trans>
              Offer it for <Price satang={shown} />
            </Trans>
          )}
        </Button>
      </ActionFoot>
    </form>
  );
}
