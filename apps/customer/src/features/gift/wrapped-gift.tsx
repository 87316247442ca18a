import { Trans, useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { BrandMark, useBrand } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { Button } from '@wlv/ui/button';
import { CodeInput } from '@wlv/ui/code-input';
import { lastDay, time } from '@wlv/ui/format';
import { Gift as GiftIcon, LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { pausedUntil, type useClaim } from './claim.ts';
import { Envelope } from './envelope.tsx';
import type { Wrapped } from './gift.ts';
import { Parcel, unwrap } from './gift-parcel.tsx';

type Claim = ReturnType<typeof useClaim>;

const ground =
  'relative flex min-h-dvh flex-col overflow-hidden bg-band text-band-foreground [&_:focus-visible]:outline-band-foreground';

/** A gift in its paper. While too many digits were wrong, nothing is known of it but that. */
export function WrappedGift({
  gift,
  paused,
  claim,
}: {
  gift: Wrapped | undefined;
  paused: string | undefined;
  claim: Claim;
}) {
  const parcel = useRef<SVGSVGElement>(null);
  if (!gift || gift.locked) return <Locked from={gift?.from} paused={paused} claim={claim} parcel={parcel} />;
  return <Unlocked gift={gift} onUnwrapped={() => claim.show(gift, '')} parcel={parcel} />;
}

function Unlocked({
  gift,
  onUnwrapped,
  parcel,
}: {
  gift: Wrapped;
  onUnwrapped: () => void;
  parcel: RefObject<SVGSVGElement | null>;
}) {
  const { t } = useLingui();
  const brand = useBrand();
  const { from, people, left } = gift;
  const group = people > 1;
  const [opening, setOpening] = useState(false);
  const until = lastDay(gift.expires_at);
  const open = async () => {
    setOpening(true);
    await unwrap(parcel.current);
    onUnwrapped();
  };
  return (
    <div className={ground}>
      <div className="mx-auto grid w-full max-w-[440px] justify-items-center px-7 pt-9 text-center">
        <BrandMark size={56} onBand />
        <h1 className="mt-3 text-[26px] font-semibold leading-[41px]">
          {group ? (
            <Trans>
              {from}
              <br />
              hands out ang-pao
            </Trans>
          ) : (
            <Trans>
              {from}
              <br />
              has sent you a gift
            </Trans>
          )}
        </h1>
        <p className="text-sm text-band-quiet">{brand}</p>
      </div>
      <div className="flex flex-1 items-center justify-center pb-8 pt-4">
        <div className="relative w-full max-w-[390px] px-6">
          {group ? (
            <Envelope onBand className="mx-auto w-[56%] -rotate-3" />
          ) : (
            <Parcel ref={parcel} className="w-full -rotate-3" />
          )}
          <Tag gift={gift} />
        </div>
      </div>
      <div className="safe-bottom-24 mx-auto w-full max-w-[440px] px-4 text-center">
        <Button variant="band" wide className="h-14!" disabled={opening} onClick={() => void open()}>
          <GiftIcon aria-hidden />
          {group ? t`Open an envelope` : t`Unwrap the gift`}
        </Button>
        <p className="pt-3 text-sm text-band-quiet">
          {group ? t`${left} of ${people} are left, one each` : t`Have a look first, without signing in`}
          <br />
          {t`It can be received until the end of ${until}`}
        </p>
      </div>
    </div>
  );
}

/** Whom it is for, on the ribbon. */
function Tag({ gift: { to_name: to, from } }: { gift: Wrapped }) {
  if (!to) return null;
  return (
    <div className="absolute -bottom-4 right-3 max-w-[64%] rotate-[5deg] rounded-control bg-[#fffdf8] py-2 pl-8 pr-4 text-[#15130f] shadow-[0_6px_10px_rgb(0_0_0/22%)]">
      <span aria-hidden className="absolute left-3 top-1/2 size-2.5 -translate-y-1/2 rounded-full bg-band" />
      <Trans>
        <span className="block text-caption text-[#5d5a55]">To</span>
        <span className="block truncate text-[20px] font-semibold leading-[31px]">{to}</span>
        <span className="block truncate text-caption text-[#5d5a55]">from {from}</span>
      </Trans>
    </div>
  );
}

/** The last four digits of the receiver's mobile number open it. */
function Locked({
  from,
  paused,
  claim: { unlock, show },
  parcel,
}: {
  from: string | undefined;
  paused: string | undefined;
  claim: Claim;
  parcel: RefObject<SVGSVGElement | null>;
}) {
  const { t } = useLingui();
  const now = useNow();
  const [digits, setDigits] = useState('');
  const [unlocked, setUnlocked] = useState(false);
  const until = pausedUntil(unlock.error) ?? paused;
  const pausing = until !== undefined && now < Date.parse(until);
  const again = pausing && time(until);
  const wrong = !pausedUntil(unlock.error) && unlock.error;
  const tooFew = digits.length < 4;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (tooFew || pausing || unlock.isPending || unlocked) return;
    const inside = await unlock.mutateAsync(digits).catch(() => undefined);
    if (!inside) return setDigits('');
    setUnlocked(true);
    await unwrap(parcel.current);
    show(inside, digits);
  };

  const Lock = unlocked ? LockKeyholeOpen : LockKeyhole;
  return (
    <div className={ground}>
      <div className="relative mx-auto w-[248px] pt-5">
        <Parcel ref={parcel} className="w-full -rotate-3" />
        <span className="absolute -bottom-4 left-1/2 grid size-14 -translate-x-1/2 place-items-center rounded-full bg-[#fffdf8] text-[#15130f] shadow-[0_6px_14px_rgb(0_0_0/26%)]">
          <Lock aria-hidden className="size-[26px]" />
        </span>
      </div>
      <h1 className="px-7 pb-6 pt-7 text-center text-[25px] font-semibold leading-10">
        {from ? (
          <Trans>
            {from}
            <br />
            has locked it for you alone
          </Trans>
        ) : (
          t`This gift is locked for one person`
        )}
      </h1>
      <form
        onSubmit={(event) => void submit(event)}
        className="safe-bottom-20 flex flex-1 flex-col rounded-t-sheet bg-card px-5 pt-6 text-card-foreground [&_:focus-visible]:outline-ring"
      >
        <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col text-center">
          <Digits from={from} digits={digits} onChange={setDigits} wrong={Boolean(wrong)} disabled={pausing} />
          {pausing ? (
            <p role="alert" className="mt-4 text-sm text-bad-text">
              {t`The digits were wrong too many times. Try again at ${again}`}
            </p>
          ) : (
            <p className="mt-4 text-caption text-quiet">
              {t`After 5 wrong tries it takes no digits for an hour.`}
              <br />
              {t`If you are not sure, ask who sent you the link.`}
            </p>
          )}
          <FaultNote error={wrong} className="mt-3 text-left" />
          <div className="mt-auto grid gap-1.5 pt-6">
            <Button type="submit" wide disabled={tooFew || pausing || unlock.isPending || unlocked}>
              <GiftIcon aria-hidden />
              {t`Unwrap the gift`}
            </Button>
            <Button asChild variant="ghost" wide>
              <AreaLink page="market">{t`It is not for me`}</AreaLink>
            </Button>
          </div>
        </div>
      </form>
    </div>
  );
}

function Digits({
  from,
  digits,
  onChange,
  wrong,
  disabled,
}: {
  from: string | undefined;
  digits: string;
  onChange: (digits: string) => void;
  wrong: boolean;
  disabled: boolean;
}) {
  const { t } = useLingui();
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-h2 font-semibold">{t`The last 4 digits of your mobile number`}</label>
      {from && <p className="text-sm text-muted-foreground">{t`The number that ${from} knows`}</p>}
      <CodeInput
        id={id}
        digits={4}
        value={digits}
        onChange={onChange}
        disabled={disabled}
        aria-invalid={wrong || undefined}
        className="mx-auto mt-5"
      />
    </>
  );
}
