import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { useNextUse } from '@wlv/client/next-use';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { calendarDay, date } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { phone, tel } from '@wlv/ui/phone';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { clsx } from 'clsx';
import { Check, ChevronLeft, ChevronRight, Phone, X } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';

type Product = Detail<'/api/user/salepackage/detail'>;
type Days = Detail<'/api/user/salepackage/days'>;
type Day = Days['data'][number];

/** Whether a day works at a place, before anything is paid. */
export function DaysPage() {
  const { t } = useLingui();
  const { packageId = '' } = useParams<'packageId'>();
  const detail = useQuery(query('/api/user/salepackage/detail', { id: packageId }));
  const gone = isFault(detail.error, 'catalog.package_not_found') || isFault(detail.error, 'input.invalid');
  return (
    <InnerPage title={t`Which days can I use it?`} parent={`market/${packageId}`} foot>
      {detail.isPending && <Skeleton className="h-[480px] rounded-card" />}
      {gone && <EmptyState title={t`Package not found`} line={t`It may have been taken off sale.`} />}
      {detail.isError && !gone && (
        <Failure title={t`The package did not load`} error={detail.error} onRetry={() => void detail.refetch()} />
      )}
      {detail.data && <DayTest product={detail.data} />}
    </InnerPage>
  );
}

function DayTest({ product }: { product: Product }) {
  const { t } = useLingui();
  const text = useTexts();
  const today = calendarDay(Date.now());
  const [place, setPlace] = useState(product.where[0]?.id ?? '');
  const [month, setMonth] = useState(today.slice(0, 7));
  const [chosen, setChosen] = useState<string>();
  const days = useQuery({
    ...query('/api/user/salepackage/days', { id: product.id, service_point_id: place, month }),
    enabled: Boolean(place),
  });
  const called = product.where.find(({ id }) => id === place)?.phone;
  const day = days.data?.data.find((one) => one.day === chosen);
  const until = days.data && date(days.data.last_day);
  if (!place) return <EmptyState title={t`No place takes it at the moment`} line={t`Ask the shop before you buy.`} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex items-center gap-3 py-1">
        <Picture
          src={pictureURL(product.picture, 160)}
          mark={<Mark size={28} />}
          className="size-11 shrink-0 rounded-[11px]"
        />
        <div className="min-w-0">
          <p className="truncate text-row font-medium">{text(product, 'name')}</p>
          {until && <p className="text-caption text-quiet">{t`If you buy it today, valid until ${until}`}</p>}
        </div>
      </div>
      <Select
        label={t`Place`}
        value={place}
        onChange={setPlace}
        options={product.where.map((one) => ({ value: one.id, label: text(one, 'name') }))}
      />
      <Card className="px-3 pb-3 pt-2">
        <MonthHead month={month} first={today.slice(0, 7)} onChange={setMonth} />
        {days.isError ? (
          <Failure title={t`The days did not load`} error={days.error} onRetry={() => void days.refetch()} />
        ) : (
          <Month month={month} days={days.data?.data} chosen={chosen} onChoose={setChosen} />
        )}
      </Card>
      <div aria-live="polite">
        {day && days.data ? (
          <Answer day={day} days={days.data} rules={[...new Set(product.parts.map((part) => text(part, 'usable')))]} />
        ) : (
          <p className="px-1 text-quiet">{t`Choose a day.`}</p>
        )}
      </div>
      <ActionFoot className="flex gap-2.5">
        {called && (
          <Button asChild variant="outline" className="flex-1">
            <a href={tel(called)} aria-label={t`Call to book ${phone(called)}`}>
              <Phone aria-hidden />
              {t`Call to book`}
            </a>
          </Button>
        )}
        {product.remaining !== 0 && (
          <Button asChild className="flex-[1.5]">
            <AreaLink page="cart" search={{ only: product.id }}>
              {t`Buy`} <Price satang={product.price_satang} />
            </AreaLink>
          </Button>
        )}
      </ActionFoot>
    </div>
  );
}

const moved = (month: string, by: number) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
};

function MonthHead({ month, first, onChange }: { month: string; first: string; onChange: (month: string) => void }) {
  const { t, i18n } = useLingui();
  const name = new Intl.DateTimeFormat(i18n.locale === 'th' ? 'th-TH' : 'en-GB', { month: 'long', timeZone: 'UTC' });
  return (
    <div className="flex items-center justify-between">
      <IconButton label={t`Previous month`} disabled={month <= first} onClick={() => onChange(moved(month, -1))}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <h2 className="text-base font-semibold" aria-live="polite">
        {name.format(new Date(`${month}-01`))} {month.slice(0, 4)}
      </h2>
      <IconButton label={t`Next month`} onClick={() => onChange(moved(month, 1))}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}

/** A full calendar, Sunday first. Days that do not work are struck, and can be asked about as well. */
function Month({
  month,
  days,
  chosen,
  onChoose,
}: {
  month: string;
  days: Day[] | undefined;
  chosen: string | undefined;
  onChoose: (day: string) => void;
}) {
  const { t, i18n } = useLingui();
  const locale = i18n.locale === 'th' ? 'th-TH' : 'en-GB';
  const short = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' });
  const [year = 0, number = 0] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1)).getUTCDay();
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return (
    <div className="grid grid-cols-7 gap-1.5 text-center">
      {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
        <span key={weekday} aria-hidden className="py-1 text-caption text-quiet">
          {short.format(Date.UTC(2023, 0, 1 + weekday))}
        </span>
      ))}
      {Array.from({ length }, (_, at) => {
        const day = `${month}-${String(at + 1).padStart(2, '0')}`;
        const known = days?.find((one) => one.day === day);
        const works = known?.fault === '';
        return (
          <button
            key={day}
            type="button"
            disabled={!known}
            aria-pressed={day === chosen}
            aria-label={known ? (works ? t`${date(day)}, it works` : t`${date(day)}, it does not work`) : date(day)}
            style={at === 0 ? { gridColumnStart: first + 1 } : undefined}
            onClick={() => onChoose(day)}
            className={clsx(
              'h-11 rounded-[10px] text-row',
              day === chosen
                ? 'bg-primary font-semibold text-primary-foreground'
                : works
                  ? 'bg-accent text-accent-foreground'
                  : 'text-quiet',
              known && !works && 'line-through',
            )}
          >
            {at + 1}
          </button>
        );
      })}
    </div>
  );
}

/** Yes with the hours, or why not and the next day that works: the sentences that staff and holders read later. */
function Answer({ day, days, rules }: { day: Day; days: Days; rules: string[] }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const next = useNextUse();
  const weekday = new Intl.DateTimeFormat(i18n.locale === 'th' ? 'th-TH' : 'en-GB', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const name = `${weekday.format(new Date(day.day))} ${date(day.day)}`;
  const yes = day.fault === '';
  const why = {
    '': '',
    'voucher.not_today': t`It can't be used on this day.`,
    'voucher.not_at_this_hour': t`Its hours of today are over.`,
    'voucher.closed_day': t`The place is closed on this day.`,
    'voucher.expired': t`It is past its last day.`,
  }[day.fault];
  const [from, to] = [days.use_from, days.use_to];
  return (
    <div className={clsx('flex items-start gap-3 rounded-card px-4 py-3.5', yes ? 'bg-ok-soft' : 'bg-bad-soft')}>
      <span
        className={clsx(
          'grid size-9 shrink-0 place-items-center rounded-full [&_svg]:size-5',
          yes ? 'bg-ok-text text-ok-soft' : 'bg-bad-text text-bad-soft',
        )}
      >
        {yes ? <Check aria-hidden /> : <X aria-hidden />}
      </span>
      <div className="min-w-0">
        <p className="text-[17px] font-semibold leading-7">
          {yes ? t`${name}: it works` : t`${name}: it does not work`}
        </p>
        {yes && (
          <p className="text-sm text-muted-foreground">{from ? t`Come between ${from} and ${to}` : t`At any hour`}</p>
        )}
        {!yes && (
          <p className="text-sm text-muted-foreground">
            {[text(day, 'name'), text(day, 'reason') || why, ...(day.fault === 'voucher.not_today' ? rules : [])]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {!yes && day.fault !== 'voucher.expired' && <p className="text-sm text-muted-foreground">{next(day)}</p>}
      </div>
    </div>
  );
}
