import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { invalidates, mutation, query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts, useTitle } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { useNow } from '@wlv/client/use-now';
import { Button } from '@wlv/ui/button';
import { amount, baht, time, timeToSecond } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { QRCode } from '@wlv/ui/qr-code';
import { SquareRing, WaitingRing } from '@wlv/ui/ring';
import { Ticket } from '@wlv/ui/ticket';
import { TopBar } from '@wlv/ui/top-bar';
import { CircleAlert, Clock, Info, RefreshCw, ScanLine, Smartphone } from 'lucide-react';
import { useArea } from '../../area.tsx';
import { stepSeconds } from '../../live/step.ts';
import { useAwake } from '../../live/use-awake.ts';
import { useBack } from '../../shell/inner.tsx';
import { SessionElsewhere, SessionEnded } from './session-end.tsx';
import { useCode } from './use-code.ts';
import { useRefusal } from './use-refusal.ts';
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
  if (state.data?.used_at) return <UsedPage use={state.data} usedAt={state.data.used_at} voucher={voucher.data} />;

  const over = state.data && state.data.state !== 'open';
  if (over || now >= Date.parse(session.expires_at)) return <SessionEnded voucherId={voucherId} />;
  // The last answer may be old, where the connection went meanwhile.
  const scanned = now < Date.parse(state.data?.scan_expires_at ?? '') ? state.data?.scanned_at : undefined;
  return <LiveCode session={session} voucher={voucher.data} now={now} scanned={scanned ?? undefined} />;
}

function LiveCode({
  session,
  voucher,
  now,
  scanned,
}: {
  session: UseSession;
  voucher: VoucherDetail | undefined;
  now: number;
  /** When staff scanned it who look at it now. */
  scanned: string | undefined;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const back = useBack(`activevoucher/${session.voucher_id}`);
  const awake = useAwake();
  const code = useCode(session, now);
  const refusal = useRefusal(session.id);
  useTitle(t`Use the voucher`);

  const left = stepSeconds - Math.floor((now / 1000) % stepSeconds);
  const returns = time(session.expires_at);
  const scannedAt = scanned && timeToSecond(scanned);
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
      <div role="status" className="px-5 pb-3.5 text-center">
        <h1 className="text-[24px] font-semibold leading-[38px]">
          {scanned ? t`Staff are checking it` : t`Hold it out to the staff`}
        </h1>
        <p className="text-sm text-band-quiet">{text(session, 'service_point_name')}</p>
      </div>
      <div className="mx-auto w-full max-w-[390px] px-4">
        <Ticket stub={90} foot={<WhatIsUsed session={session} voucher={voucher} />}>
          <div className="grid justify-items-center bg-white pb-3 pt-2 text-[#15130f]">
            <div className={ringWidth}>
              {scanned ? (
                <CheckedCode />
              ) : (
                <SquareRing value={left / stepSeconds} warn={left <= 5}>
                  <div className="size-[77%] [&>svg]:size-full">
                    {code && (
                      <QRCode text={code.qr} size={264} label={t`QR of this voucher; it changes every 30 seconds`} />
                    )}
                  </div>
                </SquareRing>
              )}
            </div>
            {scanned ? (
              <p className="mt-2.5 flex items-center gap-2 text-row">
                <Clock aria-hidden className="size-[17px]" />
                {t`Scanned at ${scannedAt}`}
              </p>
            ) : (
              <p className="mt-2.5 flex items-center gap-2 text-row">
                <RefreshCw aria-hidden className="size-[17px]" />
                <span role="timer">{t`The code changes in ${left} seconds`}</span>
              </p>
            )}
          </div>
        </Ticket>
      </div>
      <div className="mx-auto w-full max-w-[440px] px-4 pt-[18px]">
        {scanned ? (
          <p className="flex gap-3 px-2 text-row">
            <Info aria-hidden className="mt-1 size-5 shrink-0" />
            <span>
              {t`Nothing is used until the staff confirm.`}
              <br />
              {t`This page changes by itself; there is nothing to press.`}
            </span>
          </p>
        ) : refusal ? (
          <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} title={t`The staff could not take it`}>
            {refusal}
          </Note>
        ) : (
          code?.typed && (
            <div className="text-center">
              <p className="text-caption text-band-quiet">{t`If it can't be scanned, tell the staff this code`}</p>
              <p className="text-code font-semibold tracking-[0.12em]">{grouped(code.typed)}</p>
            </div>
          )
        )}
      </div>
      <div className="safe-bottom-24 mx-auto mt-auto w-full max-w-[440px] px-4 pt-6">
        {!scanned && (
          <p className="mb-2.5 text-center text-caption text-band-quiet">
            {t`If nobody scans it, the voucher is ready again at ${returns}`}
          </p>
        )}
        <CancelButton session={session} />
      </div>
    </div>
  );
}

/** In place of the code while staff look at what they scanned: nobody is to scan it, and the ring stands still. */
function CheckedCode() {
  const { t } = useLingui();
  return (
    <SquareRing value={1}>
      <div className="size-[77%] [&>svg]:size-full">
        <QRCode pale text={noCode} size={264} label={t`The code rests while the staff check it`} />
      </div>
      <span className="absolute grid size-[34%] place-items-center rounded-full bg-white">
        <span className="grid size-[82%] place-items-center rounded-full bg-band text-band-foreground">
          <ScanLine aria-hidden className="size-10" />
        </span>
        <span className="absolute -inset-[14%] [&>svg]:size-full">
          <WaitingRing />
        </span>
      </span>
    </SquareRing>
  );
}

/** As long as a code, and nothing that a scanner of ours takes. */
const noCode = 'we-love-voucher '.repeat(6);

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
