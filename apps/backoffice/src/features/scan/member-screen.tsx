import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { Avatar } from '@wlv/ui/avatar';
import { baht, date } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Ticket } from '@wlv/ui/ticket';
import { Crown, Info, ScanLine } from 'lucide-react';
import { MainButton, ResultScreen } from './result-screen.tsx';
import type { Seen } from './scan.ts';

/** The member who stands here, for five minutes: who he is, his card, and what he can use. */
export function MemberScreen({ seen, servicePoint, onNext }: { seen: Seen; servicePoint: string; onNext: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const left = Math.max(0, Math.ceil((Date.parse(seen.until) - useNow()) / 1000));
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  const digits = seen.mobile_digits;
  return (
    <ResultScreen
      good={left > 0}
      word={left > 0 ? t`Member` : t`Time is over`}
      servicePoint={servicePoint}
      onEscape={onNext}
      actions={
        <MainButton good={left > 0} onClick={onNext}>
          <ScanLine aria-hidden className="size-6" />
          {t`Scan the next one`}
        </MainButton>
      }
    >
      {left > 0 ? (
        <>
          <Ticket
            stub={86}
            foot={
              <div className="min-w-0 flex-1">
                <p className="text-base font-medium">{spaced(seen.number)}</p>
                <p className="text-caption text-quiet">
                  {seen.ends_on ? t`Card valid until ${date(seen.ends_on)}` : t`Card without an end`}
                </p>
              </div>
            }
          >
            <div className="flex items-center gap-3.5 p-4">
              <Avatar src={seen.pictureUrl} size={64} />
              <div className="min-w-0 flex-1">
                <h2 className="line-clamp-2 text-[19px] font-semibold leading-[30px]">{seen.name}</h2>
                <p className="flex items-center gap-1.5 text-sm font-medium">
                  <Crown aria-hidden className="size-4 shrink-0" />
                  <span className="min-w-0 truncate">{text(seen, 'type_name')}</span>
                </p>
                {digits && <p className="text-caption text-quiet">{t`Mobile ending in ${digits}`}</p>}
              </div>
            </div>
          </Ticket>
          <Vouchers seen={seen} />
          <p className="flex items-center gap-3 px-1 text-sm text-white">
            <Info aria-hidden className="size-5 shrink-0" />
            {t`Shown for ${minutes} more. Nothing is used by this.`}
          </p>
        </>
      ) : (
        <p className="text-center text-base text-white">{t`Ask the member to show the code again.`}</p>
      )}
    </ResultScreen>
  );
}

function Vouchers({ seen: { vouchers } }: { seen: Seen }) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const count = vouchers.length;
  return (
    <section className="rounded-card bg-card p-4">
      <h2 className="text-base font-semibold">
        {count === 0 ? t`No voucher that can be used` : <Plural value={count} one="# voucher" other="# vouchers" />}
      </h2>
      <ul className="divide-y">
        {vouchers.map((voucher) => {
          const { items_left: rest, items_total: total } = voucher;
          return (
            <li key={voucher.id} className="flex items-center gap-3 py-3 last:pb-0">
              <Picture
                src={pictureURL(voucher.picture, 160)}
                mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={28} className="opacity-60" />}
                className="size-12 shrink-0 rounded-small"
              />
              <div className="min-w-0 flex-1">
                <p className="line-clamp-2 text-row font-medium">{text(voucher, 'name')}</p>
                <p className="text-caption text-quiet">{t`Good until ${date(voucher.valid_until)}`}</p>
              </div>
              <p className="shrink-0 text-right text-sm">
                {voucher.kind === 'baht' ? baht(rest) : t`${rest} of ${total} left`}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A number of a card as it is read aloud. */
const spaced = (number: string) => number.replace(/^([A-Z]+)(\d{4})(\d{4})$/, '$1 $2 $3');
