import { Plural, useLingui } from '@lingui/react/macro';
import { errorSentence } from '@wlv/client/api-error';
import { pictureURL } from '@wlv/client/media';
import { type NextUse, useNextUse } from '@wlv/client/next-use';
import { usePage, useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { baht, date, time } from '@wlv/ui/format';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, History, Info, MapPin, MessageCircle } from 'lucide-react';
import { MainButton, NextButton, ResultScreen, SecondButton } from './result-screen.tsx';
import type { Refusal, RefusalDetail, Scan } from './scan.ts';

/** How many, in times or in baht. */
export function Amount({ kind, items }: { kind: 'item' | 'baht'; items: number }) {
  return kind === 'baht' ? baht(items) : <Plural value={items} one="# time" other="# times" />;
}

/** It can be used: whose it is, how many he asked for, what remains. Nothing is used before the button. */
export function ValidScreen({
  scan,
  servicePoint,
  confirming,
  error,
  onConfirm,
  onCancel,
}: {
  scan: Scan;
  servicePoint: string;
  confirming: boolean;
  error: unknown;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const usable = text(scan, 'usable');
  return (
    <ResultScreen
      good
      word={t`Good to use`}
      servicePoint={servicePoint}
      problem={error ? errorSentence(i18n, error) : undefined}
      onEscape={onCancel}
      actions={
        <>
          <MainButton good disabled={confirming} onClick={onConfirm}>
            {confirming ? (
              t`Using…`
            ) : (
              <span>
                {t`Confirm:`} <Amount kind={scan.kind} items={scan.items} />
              </span>
            )}
          </MainButton>
          <SecondButton disabled={confirming} onClick={onCancel}>{t`Cancel, scan another`}</SecondButton>
        </>
      }
    >
      <Ticket
        stub={86}
        foot={
          <>
            <div className="min-w-0 flex-1">
              <p className="text-base font-medium">{t`Used now`}</p>
              <p className="text-caption text-quiet">
                {t`Left after this:`} <Amount kind={scan.kind} items={scan.items_left_after} />
              </p>
            </div>
            <p className="shrink-0 text-[32px] font-semibold leading-[46px]">
              <Amount kind={scan.kind} items={scan.items} />
            </p>
          </>
        }
      >
        <div className="flex items-center gap-3.5 p-4">
          <Picture
            src={pictureURL(scan.picture, 400)}
            mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={36} className="opacity-60" />}
            className="size-[72px] shrink-0 rounded-card"
          />
          <h2 className="line-clamp-2 text-[19px] font-semibold leading-[30px]">{text(scan, 'name')}</h2>
        </div>
        <div className="mx-4 flex items-center gap-3 border-t py-3.5">
          <Avatar src={scan.customer_picture_url} size={44} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-base font-medium">{scan.customer_name}</p>
            <p className="text-caption text-quiet">{t`Good until ${date(scan.valid_until)}`}</p>
          </div>
        </div>
        {usable && (
          <p className="mx-4 flex gap-3 border-t py-3.5 text-row">
            <CalendarClock aria-hidden className="mt-0.5 size-5 shrink-0 text-quiet" />
            {usable}
          </p>
        )}
      </Ticket>
      <p className="flex items-center gap-3 px-1 text-sm text-white">
        <Info aria-hidden className="size-5 shrink-0" />
        {t`Nothing is used until you confirm.`}
      </p>
    </ResultScreen>
  );
}

function useRefusal(refusal: Refusal) {
  const { t } = useLingui();
  const texts: Record<Refusal, { word: string; say: string }> = {
    'voucher.already_used': {
      word: t`Already used`,
      say: t`“This one has been used. You could open another one in My vouchers.”`,
    },
    'voucher.expired': {
      word: t`Expired`,
      say: t`“This one is past its date. The shop's terms say what happens with it.”`,
    },
    'voucher.not_today': {
      word: t`Not today`,
      say: t`“This one can't be used on this day. Its days stand on the voucher.”`,
    },
    'voucher.not_at_this_hour': {
      word: t`Not at this hour`,
      say: t`“This one can't be used at this hour. Its hours stand on the voucher.”`,
    },
    'voucher.closed_day': {
      word: t`Closed today`,
      say: t`“We take no vouchers here today. Nothing of yours was used.”`,
    },
    'voucher.other_service_point': {
      word: t`Not here`,
      say: t`“This one was opened for another place. Please cancel and open it for here.”`,
    },
    'voucher.code_stale': {
      word: t`QR too old`,
      say: t`“Please show me the code on your screen now, not a picture of it.”`,
    },
    'voucher.session_over': {
      word: t`QR too old`,
      say: t`“The ten minutes are over. Please press Use once more.”`,
    },
    'voucher.not_scanned': {
      word: t`Scan again`,
      say: t`“That took a little long. Please show me your code once more.”`,
    },
    'voucher.code_unknown': {
      word: t`Unknown`,
      say: t`“I can't find this code. Please open the voucher and show its QR.”`,
    },
    'voucher.other_organisation': {
      word: t`Another shop's`,
      say: t`“This voucher belongs to another shop. Its name stands on the voucher.”`,
    },
    'voucher.not_ready': {
      word: t`Not usable`,
      say: t`“This one can't be used right now. Please open it to see why.”`,
    },
  };
  return texts[refusal];
}

/** It can't be used: why, which one it is and by whom it was used if it was, and what to say to the customer. */
export function RefusedScreen({
  refusal,
  detail,
  servicePoint,
  onNext,
}: {
  refusal: Refusal;
  detail: RefusalDetail;
  servicePoint: string;
  onNext: () => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const { word, say } = useRefusal(refusal);
  const there = text(detail, 'service_point_name');
  const next = useNextUse();
  return (
    <ResultScreen
      good={false}
      word={word}
      servicePoint={servicePoint}
      onEscape={onNext}
      actions={<NextButton onClick={onNext} />}
    >
      {detail.at ? (
        <Ticket
          stub={86}
          foot={
            <Circumstance icon={<History aria-hidden />} title={t`Used on ${date(detail.at)} at ${time(detail.at)}`}>
              {detail.staff ? t`${there} · confirmed by ${detail.staff}` : there}
            </Circumstance>
          }
        >
          <div className="flex items-center gap-3.5 p-4">
            <Picture
              src={pictureURL(detail.picture, 400)}
              mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={36} className="opacity-60" />}
              className="size-[72px] shrink-0 rounded-card grayscale"
            />
            <div className="min-w-0">
              <h2 className="line-clamp-2 text-[19px] font-semibold leading-[30px]">{text(detail, 'name')}</h2>
              <p className="text-sm text-quiet">{detail.code}</p>
            </div>
          </div>
        </Ticket>
      ) : detail.next_day === undefined ? (
        there && (
          <div className="rounded-card bg-card p-4">
            <Circumstance icon={<MapPin aria-hidden />} title={t`It can be used at ${there}`}>
              {t`The customer chose that place when opening the QR.`}
            </Circumstance>
          </div>
        )
      ) : (
        <div className="rounded-card bg-card p-4">
          <Circumstance icon={<CalendarClock aria-hidden />} title={next(detail as NextUse)}>
            {text(detail, 'reason')}
          </Circumstance>
        </div>
      )}
      <div className="flex gap-3.5 rounded-touch bg-black/25 px-4 py-3.5 text-white">
        <MessageCircle aria-hidden className="mt-0.5 size-[22px] shrink-0" />
        <div>
          <p className="text-row font-semibold">{t`What to tell the customer`}</p>
          <p className="text-row">{say}</p>
        </div>
      </div>
    </ResultScreen>
  );
}

function Circumstance({ icon, title, children }: { icon: React.ReactNode; title: string; children: string }) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3.5">
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-bad-soft text-bad-text [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0">
        <p className="text-base font-medium">{title}</p>
        <p className="text-caption text-quiet">{children}</p>
      </div>
    </div>
  );
}
