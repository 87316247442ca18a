import { useMutation } from '@tanstack/react-query';
import { type Body, type Detail, invalidates } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';

export type Opened = Detail<'/api/user/voucher/use'>;

/** What the phone keeps to show the QR by itself, also after a reload and without network. */
export interface UseSession extends Opened {
  /** Server's clock minus this phone's, in milliseconds. */
  ahead: number;
}

const key = (voucherId: string) => `use:${voucherId}`;

export function storedSession(voucherId: string): UseSession | null {
  const text = localStorage.getItem(key(voucherId));
  return text ? (JSON.parse(text) as UseSession) : null;
}

export function forgetSession(voucherId: string) {
  localStorage.removeItem(key(voucherId));
}

const lastPointKey = 'last-place';

/** Where this phone used a voucher last, if that is one of these. */
export function lastServicePoint(places: { id: string }[]) {
  const last = localStorage.getItem(lastPointKey);
  return places.find(({ id }) => id === last)?.id;
}

/** Opens a session of 10 minutes for some items at a place. */
export function useOpenSession() {
  return useMutation({
    mutationFn: (body: Body<'/api/user/voucher/use'>) => callOnce('/api/user/voucher/use', body),
    onSuccess: (opened, body, result, context) => {
      const session: UseSession = { ...opened, ahead: Date.parse(opened.server_time) - Date.now() };
      localStorage.setItem(key(opened.voucher_id), JSON.stringify(session));
      localStorage.setItem(lastPointKey, body.service_point_id);
      return invalidates('/api/user/voucher/list', '/api/user/voucher/detail')(opened, body, result, context);
    },
  });
}
