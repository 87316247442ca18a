import { useEffect, useState } from 'react';

/** Keeps the screen on while the QR is shown, where the phone lets a page do so. */
export function useAwake() {
  const [awake, setAwake] = useState(false);
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let left = false;

    const hold = async () => {
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return;
      // A phone that saves its battery refuses: the QR is shown all the same.
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (left) await lock?.release();
      else setAwake(lock !== undefined);
    };

    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, []);
  return awake;
}
