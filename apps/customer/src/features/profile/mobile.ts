import { useMutation } from '@tanstack/react-query';
import { type ApiError, isFault } from '@wlv/client/api-error';
import { invalidates, mutation } from '@wlv/client/call';
import { useNow } from '@wlv/client/use-now';
import { useState } from 'react';

/** The ten digits of a Thai mobile number, however it is written; undefined for anything else. The server has the same rule (platform/sms). */
export function thaiMobile(text: string) {
  const rest = /^(?:0|\+66)([689]\d{8})$/.exec(text.replace(/[\s().-]/g, ''))?.[1];
  return rest && `0${rest}`;
}

/** A number that takes no other code before this time, in milliseconds. */
interface Wait {
  mobile: string;
  until: number;
}

/** Has codes sent, and keeps how long the last number has to wait for another. */
export function useCodeRequest() {
  const [wait, setWait] = useState<Wait>();
  const keep = (mobile: string, seconds: number) => setWait({ mobile, until: Date.now() + seconds * 1000 });
  const request = useMutation({
    ...mutation('/api/user/mobile/request'),
    onSuccess: (sent, { mobile }) => keep(mobile, sent.again_seconds),
    onError: (error, { mobile }) => {
      if (isFault(error, 'otp.wait'))
        keep(mobile, (error as ApiError & { detail: { seconds: number } }).detail.seconds);
    },
  });
  return {
    request,
    /** Until when a number has to wait; 0 if it does not. */
    waitsUntil: (mobile: string | undefined) => (wait?.mobile === mobile ? (wait?.until ?? 0) : 0),
  };
}

export type CodeRequest = ReturnType<typeof useCodeRequest>;

/** Compares a code; the number is the person's own if it is right. */
export function useCodeCheck() {
  return useMutation({
    ...mutation('/api/user/mobile/verify'),
    onSuccess: invalidates('/api/user/profile/customer', '/api/user/privacy/get'),
  });
}

/** How many tries are left after a wrong code; undefined for any other error. */
export function triesLeft(error: unknown): number | undefined {
  return isFault(error, 'otp.wrong')
    ? (error as ApiError & { detail: { tries_left: number } }).detail.tries_left
    : undefined;
}

/** When codes are sent again after too many; undefined for any other error. */
export function enoughUntil(error: unknown): string | undefined {
  return isFault(error, 'otp.enough') ? (error as ApiError & { detail: { until: string } }).detail.until : undefined;
}

/** Whether the server does not take it for a mobile number. */
export function isNoNumber(error: unknown) {
  return isFault(error, 'input.invalid') && (error as ApiError).fields.some(({ path }) => path === 'mobile');
}

/** Whether the page shows more of this error than its sentence. */
export function isShownElsewhere(error: unknown) {
  return isFault(error, 'otp.wait') || isFault(error, 'otp.enough') || isNoNumber(error);
}

/** Seconds until a time in milliseconds, counted down; 0 once it is past. */
export function useSecondsUntil(at: number) {
  useNow();
  return Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
