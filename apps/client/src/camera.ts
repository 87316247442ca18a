import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { newReader } from './qr-reader.ts';

type Facing = 'environment' | 'user';

interface TorchCapabilities extends MediaTrackCapabilities {
  torch?: boolean;
}

/** The camera's picture in a video element: opened at once, closed with the screen. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [facing, setFacing] = useState<Facing>('environment');
  const [track, setTrack] = useState<MediaStreamTrack>();
  const [missing, setMissing] = useState(false);
  const [torch, setTorch] = useState(false);

  useEffect(() => {
    let closed = false;
    let stream: MediaStream | undefined;

    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: facing, width: { ideal: 1280 }, height: { ideal: 720 } },
      });
      const [first] = stream.getVideoTracks();
      if (closed || !first || !video.current) return stop(stream);
      video.current.srcObject = stream;
      await video.current.play();
      setTrack(first);
      setMissing(false);
    };
    // No camera, or not allowed: the screen says so, and codes are typed.
    open().catch(() => !closed && setMissing(true));

    return () => {
      closed = true;
      stop(stream);
      setTrack(undefined);
      setTorch(false);
    };
  }, [facing, video]);

  const hasTorch = Boolean((track?.getCapabilities?.() as TorchCapabilities | undefined)?.torch);
  return {
    live: Boolean(track),
    missing,
    torch: hasTorch ? torch : undefined,
    toggleTorch: useCallback(async () => {
      const next = !torch;
      await track?.applyConstraints({ advanced: [{ torch: next } as MediaTrackConstraintSet] });
      setTorch(next);
    }, [torch, track]),
    turn: useCallback(() => setFacing((now) => (now === 'user' ? 'environment' : 'user')), []),
  };
}

function stop(stream: MediaStream | undefined) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Between two looks, in milliseconds: fast enough for a queue, slow enough for an old phone. */
const pause = 140;
/** A code that was just read must be out of sight this long before it counts again; otherwise nobody gets past it. */
const forget = 1500;

/** Calls `onRead` once for each code that comes before the camera, while `active`. */
export function useReading(video: RefObject<HTMLVideoElement | null>, active: boolean, onRead: (text: string) => void) {
  const last = useRef({ text: '', at: 0 });
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout>;
    // What is still before the camera after its result was shown does not count as new.
    last.current.at = Date.now();

    const look = async (read: Awaited<ReturnType<typeof newReader>>) => {
      if (stopped || !video.current) return;
      const text = video.current.readyState >= 2 ? await read(video.current) : null;
      if (stopped) return;
      if (text) {
        const seenJustNow = last.current.text === text && Date.now() - last.current.at < forget;
        last.current = { text, at: Date.now() };
        if (!seenJustNow) return onRead(text);
      }
      timer = setTimeout(() => void look(read), pause);
    };
    void newReader().then(look);

    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [active, onRead, video]);
}
