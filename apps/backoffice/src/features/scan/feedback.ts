const soundKey = 'sound';

export const soundIsOn = () => localStorage.getItem(soundKey) !== 'off';

export function setSound(on: boolean) {
  localStorage.setItem(soundKey, on ? 'on' : 'off');
}

let audio: AudioContext | undefined;

function tone(hertz: number, from: number, seconds: number) {
  audio ??= new AudioContext();
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.frequency.value = hertz;
  volume.gain.value = 0.15;
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(audio.currentTime + from);
  oscillator.stop(audio.currentTime + from + seconds);
}

/** Felt and heard without looking: one short for yes, two long for no. */
export function playFeedback(good: boolean) {
  navigator.vibrate?.(good ? 80 : [300, 120, 300]);
  if (!soundIsOn()) return;
  if (good) return tone(1320, 0, 0.12);
  tone(220, 0, 0.3);
  tone(220, 0.42, 0.3);
}
