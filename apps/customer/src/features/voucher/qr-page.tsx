import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { invalidates, mutation, query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts, useTitle } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { useNow } from '@wlv/client/use-now';
import { Button } from '@wlv/ui/button';
import { amount, baht, time } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { QRCode } from '@wlv/ui/qr-code';
import { SquareRing } from '@wlv/ui/ring';
import { Ticket } from '@wlv/ui/ticket';
import { TopBar } from '@wlv/ui/top-bar';
import { RefreshCw, Smartphone } from 'lucide-react';
import { useArea } from '../../area.tsx';
import { useBack } from '../../shell/inner.tsx';
import { stepSeconds } from './code.ts';
import { SessionElsewhere, SessionEnded } from './session-end.tsx';
import { useAwake } from './use-awake.ts';
import { useCode } from './use-code.ts';
import { forgetSession, storedSession, type UseSession } from './use-session.ts';
import { UsedPage } from './used-page.tsx';
import type { VoucherDetail } from './voucher.ts';

const pollEvery = 3_000;

/** As wide as the ticket of a narrow phone, and no higher than leaves the typed code on the first screen of a low one. */
const ringWidth = 'w-[clamp(220px,100dvh-376px,min(342px,100vw-48px))]';

/** The whole screen is the QR: it goes on without network, and turns into the answer when staff have confirmed. */
export function QrPage() {
  const { voucherId = '' } = useParams<'voucherId'>();
  const voucher = useQuery(query('/api/user/voucher/detail', { id: voucherId }));
  const session = storedSession(voucherId);
  const state = useQuery({
    ...query('/api/user/voucher/use/get', { id: session?.id ?? '' }),
    enabled: session !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && data.state !== 'open' ? false : pollEvery),
  });
  const now = useNow(session?.ahead ?? 0);

  if (!session) return <SessionElsewhere voucherId={voucherId} useSession={voucher.data?.use_session?.id} />;
  if (state.data?.used_at)
    return <UsedPage session={session} usedAt={state.data.used_at} picture={voucher.data?.picture} />;

  const over = state.data && state.data.state !== 'open';
  if (over || now >= Date.parse(session.expires_at)) return <SessionEnded voucherId={voucherId} />;
  return <LiveCode session={session} voucher={voucher.data} now={now} />;
}

function LiveCode({ session, voucher, now }: { session: UseSession; voucher: VoucherDetail | undefined; now: number }) {
  const { t } = useLingui();
  const text = useTexts();
  const back = useBack(`activevoucher/${session.voucher_id}`);
  const awake = useAwake();
  const code = useCode(session, now);
  useTitle(t`Use the voucher`);

  const left = stepSeconds - Math.floor((now / 1000) % stepSeconds);
  const returns = time(session.expires_at);
  return (
    <div className="flex min-h-dvh flex-col bg-band text-band-foreground [&_:focus-visible]:outline-band-foreground">
      <TopBar title="" closes onBack={back}>
        {awake && (
          <span className="flex h-9 items-center gap-1.5 rounded-full bg-band-shade px-3 text-sm">
            <Smartphone aria-hidden className="size-[17px]" />
            {t`The screen stays on`}
          </span>
        )}
      </TopBar>
      <div className="px-5 pb-3.5 text-center">
        <h1 className="text-[24px] font-semibold leading-[38px]">{t`Hold it out to the staff`}</h1>
        <p className="text-sm text-band-quiet">{text(session, 'service_point_name')}</p>
      </div>
      <div className="mx-auto w-full max-w-[390px] px-4">
        <Ticket stub={90} foot={<WhatIsUsed session={session} voucher={voucher} />}>
          <div className="grid justify-items-center bg-white pb-3 pt-2 text-[#15130f]">
            <div className={ringWidth}>
              <SquareRing value={left / stepSeconds} warn={left <= 5}>
                <div className="size-[77%] [&>svg]:size-full">
                  {code && (
                    <QRCode text={code.qr} size={264} label={t`QR of this voucher; it changes every 30 seconds`} />
                  )}
                </div>
              </SquareRing>
            </div>
            <p className="mt-2.5 flex items-center gap-2 text-row">
              <RefreshCw aria-hidden className="size-[17px]" />
              <span role="timer">{t`The code changes in ${left} seconds`}</span>
            </p>
          </div>
        </Ticket>
      </div>
      <div className="px-6 pt-[18px] text-center">
        {code?.typed && (
          <>
            <p className="text-caption text-band-quiet">{t`If it can't be scanned, tell the staff this code`}</p>
            <p className="text-code font-semibold tracking-[0.12em]">{grouped(code.typed)}</p>
          </>
        )}
      </div>
      <div className="safe-bottom-24 mx-auto mt-auto w-full max-w-[440px] px-4 pt-6">
        <p className="mb-2.5 text-center text-caption text-band-quiet">
          {t`If nobody scans it, the voucher is ready again at ${returns}`}
        </p>
        <CancelButton session={session} />
      </div>
    </div>
  );
}

const grouped = (code: string) => code.replace(/[\s-]/g, '').replace(/(.{4})(?=.)/g, '$1 ');

function WhatIsUsed({ session, voucher }: { session: UseSession; voucher: VoucherDetail | undefined }) {
  const { t } = useLingui();
  const text = useTexts();
  const inBaht = session.kind === 'baht';
  const used = baht(session.items);
  const rest = inBaht ? amount(session.items_left) : session.items_left;
  return (
    <>
      <Picture
        src={pictureURL(voucher?.picture, 160)}
        mark={<Mark size={32} />}
        className="size-[52px] shrink-0 rounded-[12px]"
      />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-row font-medium">{text(session, 'name')}</p>
        <p className="text-caption text-quiet">
          {inBaht
            ? t`${used} now · ${rest} stays`
            : t`${plural(session.items, { one: '# item', other: '# items' })} now · ${rest} left after`}
        </p>
      </div>
    </>
  );
}

function CancelButton({ session }: { session: UseSession }) {
  const { t } = useLingui();
  const { go } = useArea();
  const cancel = useMutation({
    ...mutation('/api/user/voucher/use/cancel'),
    onSuccess: invalidates('/api/user/voucher/list', '/api/user/voucher/detail'),
  });
  const leave = () => {
    forgetSession(session.voucher_id);
    void go(`activevoucher/${session.voucher_id}`, {}, { replace: true });
  };
  return (
    <Button
      variant="shade"
      wide
      disabled={cancel.isPending}
      onClick={() => cancel.mutate({ id: session.id }, { onSuccess: leave })}
    >
      {cancel.isError ? t`Could not cancel; try again` : t`Not now`}
    </Button>
  );
}
