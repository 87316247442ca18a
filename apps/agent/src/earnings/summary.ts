import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useMayAsk } from '../shell/profile.ts';

export function useSummary() {
  return useQuery({ ...query('/api/agent/summary', {}), enabled: useMayAsk() });
}

/** Basis points in words of a person: 500 → `5%`, 1250 → `12.5%`. */
export function rateInPercent(basisPoints: number) {
  return `${basisPoints / 100}%`;
}
