import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useMayAsk } from '../shell/profile.ts';

export function useSummary() {
  return useQuery({ ...query('/api/agent/summary', {}), enabled: useMayAsk() });
}
