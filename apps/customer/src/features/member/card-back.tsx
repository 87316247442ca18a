import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { BrandMark, useBrand, useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { QRCode } from '@wlv/ui/qr-code';
import { SquareRing } from '@wlv/ui/ring';
import { Skeleton } from '@wlv/ui/skeleton';
import { Crown, RefreshCw, Smartphone, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { stepAt, stepSeconds } from '../../live/step.ts';
import { useAwake } from '../../live/use-awake.ts';
import { type CardKey, cardCode } from './card-code.ts';
import { type CardOf, spaced } from './standing.ts';

/** The back of a card: a QR that changes, made without network once the phone has its key. */
export function CardBack({ card }: { card: CardOf }) {
  const { t } = useLingui();
  const key = useQuery({
    ...query('/api/user/member/key', {}),
    staleTime: 3_600_000,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    networkMode: 'always',
  });
  if (key.data) {
    // How far the server's clock is ahead of this phone's.
    const ahead = Date.parse(key.data.server_time) - key.dataUpdatedAt;
    return <Back card={card} cardKey={key.data} ahead={ahead} />;
  }
  if (key.isError) {
    return <Failure title={t`The code did not come`} error={key.error} onRetry={() => void key.refetch()} />;
  }
  return <Skeleton className="h-[520px] rounded-card" />;
}

function Back({ card, cardKey, ahead }: { card: CardOf; cardKey: CardKey; ahead: number }) {
  const { t } = useLingui();
  const brand = useBrand();
  const text = useTexts();
  const awake = useAwake();
  const now = useNow(ahead);
  const code = useCardCode(cardKey, stepAt(now));
  const left = stepSeconds - Math.floor((now / 1000) % stepSeconds);
  const over = now >= Date.parse(cardKey.expires_at);
  return (
    <section
      aria-label={t`Code of your member card`}
      className="overflow-hidden rounded-card bg-band text-band-foreground shadow-lg animate-in fade-in-0 duration-[320ms] [&_:focus-visible]:outline-band-foreground"
    >
      <div className="flex items-center gap-3 border-b-8 border-secondary p-4">
        <BrandMark size={40} onBand />
        <span className="min-w-0 flex-1 truncate font-semibold">{brand}</span>
        <span className="flex max-w-[45%] items-center gap-1.5 rounded-small bg-secondary px-2.5 py-1 text-sm font-medium text-secondary-foreground">
          <Crown aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{text(card, 'type_name')}</span>
        </span>
      </div>
      {over ? (
        <p className="grid justify-items-center gap-3 px-6 py-16 text-center">
          <WifiOff aria-hidden className="size-10" />
          {t`Connect to the internet once, then the code is here again.`}
        </p>
      ) : (
        <div className="grid justify-items-center px-4 py-5">
          <div className="w-[clamp(220px,100dvh-420px,min(342px,100vw-64px))] overflow-hidden rounded-card text-[#15130f]">
            <SquareRing value={left / stepSeconds} warn={left <= 5}>
              <div className="size-[77%] [&>svg]:size-full">
                {code && (
                  <QRCode text={code.qr} size={264} label={t`QR of your member card; it changes every 30 seconds`} />
                )}
              </div>
            </SquareRing>
          </div>
          <p className="mt-3 flex items-center gap-2 text-row">
            <RefreshCw aria-hidden className="size-[17px]" />
            <span role="timer">{t`The code changes in ${left} seconds`}</span>
          </p>
        </div>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 bg-band-shade px-4 py-3.5">
        <span className="min-w-0">
          <span className="block text-sm text-band-quiet">{t`Member number`}</span>
          <span className="block font-semibold tracking-wide">{spaced(card.number)}</span>
          <span className="block truncate text-sm">{card.name}</span>
        </span>
        {code && !over && (
          <span className="text-right">
            <span className="block text-sm text-band-quiet">{t`If it can't be scanned, say this`}</span>
            <span className="block text-code font-semibold tracking-[0.12em]">
              {code.digits.replace(/^(...)/, '$1 ')}
            </span>
          </span>
        )}
      </div>
      {awake && (
        <p className="flex items-center justify-center gap-1.5 bg-band-shade pb-3 text-sm text-band-quiet">
          <Smartphone aria-hidden className="size-[17px]" />
          {t`The screen stays on`}
        </p>
      )}
    </section>
  );
}

function useCardCode(key: CardKey, step: number) {
  const [code, setCode] = useState<{ qr: string; digits: string }>();
  useEffect(() => {
    let current = true;
    void cardCode(key, step).then((made) => {
      if (current) setCode(made);
    });
    return () => {
      current = false;
    };
  }, [key, step]);
  return code;
}
