import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { usePage, useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { baht, date } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Ticket } from '@wlv/ui/ticket';
import { Crown, Info, ScanLine } from 'lucide-react';
import { MainButton, ResultScreen } from './result-screen.tsx';
import type { Found, Seen } from './scan.ts';

/** The member who stands here, for five minutes: who he is, his card, and what he can use. */
export function MemberScreen({ seen, servicePoint, onNext }: { seen: Seen; servicePoint: string; onNext: () => void }) {
  const { t } = useLingui();
  const left = Math.max(0, Math.ceil((Date.parse(seen.until) - useNow()) / 1000));
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
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
          <CardOf member={seen} />
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

/** Whose number it is that somebody said: who he is and his card, but nothing that he has to show it for. */
export function FoundScreen({
  found,
  servicePoint,
  onNext,
}: {
  found: Found[];
  servicePoint: string;
  onNext: () => void;
}) {
  const { t } = useLingui();
  const count = found.length;
  const states = {
    active: t({ message: 'Found', context: 'a member' }),
    suspended: t`Suspended`,
    expired: t({ message: 'Ended', context: 'a member card' }),
  };
  const first = found[0]?.state ?? 'active';
  const good = found.some(({ state }) => state === 'active');
  return (
    <ResultScreen
      good={good}
      word={count === 1 ? states[first] : t`${count} members`}
      servicePoint={servicePoint}
      onEscape={onNext}
      actions={
        <MainButton good={good} onClick={onNext}>
          <ScanLine aria-hidden className="size-6" />
          {t`Scan the next one`}
        </MainButton>
      }
    >
      {found.map((member) => (
        <CardOf
          key={member.number}
          member={member}
          {...(member.state === 'active' || count === 1 ? {} : { word: states[member.state] })}
        />
      ))}
      <p className="flex items-center gap-3 px-1 text-sm text-white">
        <Info aria-hidden className="size-5 shrink-0" />
        {t`A number proves nothing. Ask the member to open the card and scan it: then you see what they can use.`}
      </p>
    </ResultScreen>
  );
}

/** Who somebody is, and his card; a word where it is not to be used. */
function CardOf({ member, word }: { member: Seen | Found; word?: string }) {
  const { t } = useLingui();
  const text = useTexts();
  const digits = member.mobile_digits;
  return (
    <Ticket
      stub={86}
      foot={
        <div className="min-w-0 flex-1">
          <p className="text-base font-medium">{spaced(member.number)}</p>
          <p className="text-caption text-quiet">
            {member.ends_on ? t`Card valid until ${date(member.ends_on)}` : t`Card without an end`}
          </p>
        </div>
      }
    >
      <div className="flex items-center gap-3.5 p-4">
        <Avatar src={member.pictureUrl} size={64} />
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-[19px] font-semibold leading-[30px]">{member.name}</h2>
          <p className="flex items-center gap-1.5 text-sm font-medium">
            <Crown aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate">{text(member, 'type_name')}</span>
          </p>
          {digits && <p className="text-caption text-quiet">{t`Mobile ending in ${digits}`}</p>}
        </div>
        {word && <Chip tone="bad">{word}</Chip>}
      </div>
    </Ticket>
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
