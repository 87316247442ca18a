import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { call, type Detail, mutation } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import type { NextUse } from '@wlv/client/next-use';
import { useCallback, useState } from 'react';
import { playFeedback } from './feedback.ts';

export type Scan = Detail<'/api/staff/voucher/verify'>;
export type Seen = Detail<'/api/staff/member/scan'>;
export type Found = Detail<'/api/staff/member/find'>['data'][number];
export type Use = Detail<'/api/staff/voucher/confirm'>;

/** Why a code is refused at this service point; each fills the screen with its word. */
const refusals = [
  'voucher.already_used',
  'voucher.expired',
  'voucher.not_today',
  'voucher.not_at_this_hour',
  'voucher.closed_day',
  'voucher.other_service_point',
  'voucher.code_stale',
  'voucher.session_over',
  'voucher.not_scanned',
  'voucher.code_unknown',
  'voucher.other_organisation',
  'voucher.not_ready',
] as const;
export type Refusal = (typeof refusals)[number];

/** Which voucher it is and who was first, where it has been used already; the service point that would honour it; or when it can be used next. */
export interface RefusalDetail extends Partial<NextUse> {
  code?: string;
  name_th?: string;
  name_en?: string;
  picture?: string | null;
  at?: string;
  service_point_name_th?: string;
  service_point_name_en?: string;
  staff?: string;
}

export type Answer =
  | { kind: 'valid'; scan: Scan }
  | { kind: 'member'; seen: Seen }
  | { kind: 'found'; found: Found[] }
  | { kind: 'refused'; refusal: Refusal; detail: RefusalDetail }
  | { kind: 'used'; use: Use; picture: string | null };

/** Whether a code is of a member's card: its QR, or its number and the six digits behind it. */
function isOfMember(code: string) {
  return /^\s*M1\./.test(code) || /^[A-Z]{2,4}\d{14}$/i.test(code.replace(/[\s-]/g, ''));
}

/** Whether it is the number of a card, or of a mobile phone: its member is found, but has not shown his card. */
function isOfSomebody(number: string) {
  return /^(?:[A-Z]{2,4}\d{8}|(?:0|\+66)[689]\d{8})$/i.test(number.replace(/[\s()-]/g, ''));
}

function refusalOf(error: unknown): Answer | null {
  if (!(error instanceof ApiError)) return null;
  const refusal = refusals.find((one) => one === error.fault);
  return refusal ? { kind: 'refused', refusal, detail: (error.detail ?? {}) as RefusalDetail } : null;
}

/**
 * One scan from code to use. A refusal is an answer; anything else (no network, too many tries) stays an error,
 * which leaves the person where he was.
 */
export function useScan(servicePoint: string | undefined) {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<Answer>();

  const show = useCallback((next: Answer) => {
    playFeedback(next.kind !== 'refused');
    setAnswer(next);
  }, []);
  const refuse = (error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal) show(refusal);
  };

  const verify = useMutation({
    mutationFn: async (code: string): Promise<Answer> => {
      const read = { code, service_point_id: servicePoint ?? '' };
      if (isOfMember(code)) return { kind: 'member', seen: await call('/api/staff/member/scan', read) };
      if (isOfSomebody(code)) {
        const { service_point_id } = read;
        const { data } = await call('/api/staff/member/find', { number: code, service_point_id });
        return { kind: 'found', found: data };
      }
      return { kind: 'valid', scan: await call('/api/staff/voucher/verify', read) };
    },
    onSuccess: show,
    onError: refuse,
  });
  const confirm = useMutation({
    mutationFn: ({ scan }: { scan: Scan }) =>
      callOnce('/api/staff/voucher/confirm', {
        use_session_id: scan.use_session_id,
        service_point_id: servicePoint ?? '',
      }),
    onSuccess: (use, { scan }) => {
      show({ kind: 'used', use, picture: scan.picture });
      void client.invalidateQueries({ queryKey: ['/api/staff/get/activevoucher'] });
    },
    onError: refuse,
  });

  // Where it does not arrive, the scan ends by itself within the minute.
  const cancelScan = useMutation(mutation('/api/staff/voucher/verify/cancel'));

  const lost = [verify.error, confirm.error].find((error) => error && !refusalOf(error)) ?? null;
  const { mutate: send, reset: forgetVerify } = verify;
  const { reset: forgetConfirm } = confirm;
  const next = useCallback(() => {
    setAnswer(undefined);
    forgetVerify();
    forgetConfirm();
  }, [forgetVerify, forgetConfirm]);
  return {
    answer,
    /** What went wrong on the way. */
    lost,
    checking: verify.isPending,
    confirming: confirm.isPending,
    check: useCallback((code: string) => send(code), [send]),
    confirm: confirm.mutate,
    next,
    /** Leaves what was scanned unused: the customer's phone shows its code again. */
    cancel: (scan: Scan) => {
      cancelScan.mutate({ use_session_id: scan.use_session_id });
      next();
    },
  };
}
