import { useLingui } from '@lingui/react/macro';
import { useCamera, useReading } from '@wlv/client/camera';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { WaitingRing } from '@wlv/ui/ring';
import { Viewfinder } from '@wlv/ui/viewfinder';
import { clsx } from 'clsx';
import {
  ArrowRight,
  CameraOff,
  ChevronDown,
  Flashlight,
  Keyboard,
  MapPin,
  SwitchCamera,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { type ComponentProps, type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { setSound, soundIsOn } from './feedback.ts';
import { FoundScreen, MemberScreen } from './member-screen.tsx';
import { RefusedScreen, ValidScreen } from './results.tsx';
import { useScan } from './scan.ts';
import { ScanMenu } from './scan-menu.tsx';
import { type ServicePoint, useServicePoint } from './service-point.ts';
import { ServicePointChoice } from './service-point-choice.tsx';
import { UsedScreen } from './used-screen.tsx';
import { useUsesToday } from './uses-today.ts';

/** Scanning: camera at once, a field for guns and typed codes, the answer over the whole screen. */
export function ScanPage() {
  const { t } = useLingui();
  useTitle(t`Scan`);
  const { servicePoints, servicePoint, choose } = useServicePoint();
  if (servicePoint) return <Scanner servicePoint={servicePoint} servicePoints={servicePoints} choose={choose} />;
  return (
    <main id="content" className="mx-auto grid max-w-[520px] gap-4 px-4 py-6">
      <div className="flex items-center gap-2">
        <ScanMenu />
        <h1 className="text-h1 font-semibold">{t`Where are you standing?`}</h1>
      </div>
      <p className="text-row text-muted-foreground">{t`Chosen once; this device remembers it.`}</p>
      <ServicePointChoice servicePoints={servicePoints} servicePoint={undefined} onChoose={choose} />
    </main>
  );
}

function Scanner({
  servicePoint,
  servicePoints,
  choose,
}: {
  servicePoint: ServicePoint;
  servicePoints: ReturnType<typeof useServicePoint>['servicePoints'];
  choose: (id: string) => void;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(servicePoint, 'name');
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const [choosing, setChoosing] = useState(false);
  const scan = useScan(servicePoint.id);
  const { answer, check, next } = scan;
  useReading(video, camera.live && !answer && !scan.checking && !choosing, check);

  return (
    <>
      <main
        id="content"
        inert={Boolean(answer)}
        className="fixed inset-0 flex flex-col overflow-hidden bg-[#15130f] text-white"
      >
        <video ref={video} playsInline muted className="absolute inset-0 size-full object-cover" />
        <div className="relative mx-auto flex w-full max-w-[520px] flex-1 flex-col px-4 pb-7 pt-3.5">
          <div className="relative z-[1] flex gap-3">
            <ScanMenu dark />
            <button
              type="button"
              onClick={() => setChoosing(true)}
              className="flex h-11 min-w-0 flex-1 items-center gap-2.5 rounded-touch bg-black/60 px-3.5 text-row font-medium"
            >
              <MapPin aria-hidden className="size-[18px] shrink-0" />
              <span className="min-w-0 flex-1 truncate text-left">{name}</span>
              <ChevronDown aria-hidden className="size-[18px] shrink-0" />
            </button>
            <Today servicePoint={servicePoint.id} />
          </div>
          <div className="relative z-[1] mt-8 text-center">
            <h1 className="text-h1 font-semibold">
              {camera.missing ? t`No camera here` : t`Hold the QR in the frame`}
            </h1>
            <p role="status" className="text-sm text-white/85">
              {statusLine()}
            </p>
          </div>
          <div className="grid flex-1 place-items-center py-4">
            <Viewfinder>
              {scan.checking ? (
                <WaitingRing size={44} />
              ) : (
                camera.missing && <CameraOff aria-hidden className="size-12" />
              )}
            </Viewfinder>
          </div>
          <Controls camera={camera} />
          <FaultNote error={answer ? null : scan.lost} className="relative z-[1] mb-3" />
          <TypedCode busy={scan.checking} resting={Boolean(answer) || choosing} onCode={check} />
        </div>
      </main>

      {answer?.kind === 'valid' && (
        <ValidScreen
          key={answer.scan.use_session_id}
          scan={answer.scan}
          servicePoint={name}
          confirming={scan.confirming}
          error={scan.lost}
          onConfirm={() => scan.confirm(answer)}
          onCancel={() => scan.cancel(answer.scan)}
        />
      )}
      {answer?.kind === 'member' && (
        <MemberScreen key={answer.seen.presence_id} seen={answer.seen} servicePoint={name} onNext={next} />
      )}
      {answer?.kind === 'found' && <FoundScreen found={answer.found} servicePoint={name} onNext={next} />}
      {answer?.kind === 'refused' && (
        <RefusedScreen refusal={answer.refusal} detail={answer.detail} servicePoint={name} onNext={next} />
      )}
      {answer?.kind === 'used' && <UsedScreen {...answer} servicePoint={servicePoint} onNext={next} />}

      <Dialog open={choosing} onOpenChange={setChoosing}>
        <DialogContent shape="sheet" title={t`Where are you standing?`}>
          <ServicePointChoice
            servicePoints={servicePoints}
            servicePoint={servicePoint.id}
            onChoose={(id) => {
              choose(id);
              setChoosing(false);
            }}
          />
        </DialogContent>
      </Dialog>
    </>
  );

  function statusLine() {
    if (scan.checking) return t`Checking…`;
    return camera.missing ? t`Type the code, or use a scanner gun.` : t`Ready. Nothing to press.`;
  }
}

function Today({ servicePoint }: { servicePoint: string }) {
  const { t } = useLingui();
  const count = useUsesToday(servicePoint);
  return (
    <p className="flex h-11 shrink-0 items-center gap-2 rounded-touch bg-black/60 px-3.5 text-row font-medium">
      <span aria-hidden className="size-2 rounded-full bg-[#7CE3A9]" />
      {t`${count} today`}
    </p>
  );
}

function Controls({ camera }: { camera: ReturnType<typeof useCamera> }) {
  const { t } = useLingui();
  const [sound, setSoundOn] = useState(soundIsOn);
  return (
    <div className="relative z-[1] mb-5 flex justify-around">
      <Control
        label={t`Torch`}
        on={camera.torch}
        disabled={camera.torch === undefined}
        onClick={() => void camera.toggleTorch()}
      >
        <Flashlight aria-hidden />
      </Control>
      <Control label={t`Turn camera`} disabled={!camera.live} onClick={camera.turn}>
        <SwitchCamera aria-hidden />
      </Control>
      <Control
        label={t`Sound`}
        aria-pressed={sound}
        onClick={() => {
          setSound(!sound);
          setSoundOn(!sound);
        }}
      >
        {sound ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
      </Control>
    </div>
  );
}

function Control({
  label,
  on,
  children,
  ...props
}: Omit<ComponentProps<'button'>, 'className'> & { label: string; on?: boolean | undefined }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      className="grid w-24 justify-items-center gap-2 whitespace-nowrap text-sm font-medium disabled:text-white/70"
      {...props}
    >
      <span
        className={clsx(
          'grid size-[60px] place-items-center rounded-full [&_svg]:size-6',
          on ? 'bg-white text-[#15130f]' : 'bg-black/60',
        )}
      >
        {children}
      </span>
      {label}
    </button>
  );
}

/**
 * Scanner guns type like a keyboard and press Enter, so this field has the focus whenever nothing else needs it.
 * A phone's keyboard comes up only when a finger asks for it.
 */
function TypedCode({ busy, resting, onCode }: { busy: boolean; resting: boolean; onCode: (code: string) => void }) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const [byFinger, setByFinger] = useState(false);
  const [code, setCode] = useState('');

  const focus = useCallback(() => field.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (resting) return;
    focus();
    // A key that reaches nobody is the gun's, or somebody typing a code.
    const catchKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      if (event.key.length === 1 && (!activeElement || activeElement === document.body)) focus();
    };
    window.addEventListener('keydown', catchKey);
    window.addEventListener('focus', focus);
    return () => {
      window.removeEventListener('keydown', catchKey);
      window.removeEventListener('focus', focus);
    };
  }, [resting, focus]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = code.trim();
    if (!typed || busy) return;
    setCode('');
    setByFinger(false);
    onCode(typed);
  };

  return (
    <form className="relative z-[1] flex gap-2.5 text-foreground" onSubmit={submit}>
      <label className="flex h-14 min-w-0 flex-1 items-center gap-3 rounded-touch bg-white px-4 text-[#15130f]">
        <span className="sr-only">{t`Code`}</span>
        <Keyboard aria-hidden className="size-[22px] shrink-0" />
        <input
          ref={field}
          value={code}
          inputMode={byFinger ? 'text' : 'none'}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          placeholder={t`Type a code, or use a scanner`}
          onPointerDown={() => setByFinger(true)}
          onChange={(event) => setCode(event.target.value)}
          className="min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-[#6b665e]"
        />
      </label>
      <button
        type="submit"
        aria-label={t`Check the code`}
        className="grid size-14 shrink-0 place-items-center rounded-touch bg-white text-[#15130f]"
      >
        <ArrowRight aria-hidden className="size-6" />
      </button>
    </form>
  );
}
