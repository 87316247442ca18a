import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, query, type Row } from '@wlv/client/call';
import { useCallback } from 'react';

export type Job = Row<'/api/owner/report/job/list'>;

export const isUnderWay = ({ state }: Job) => state === 'waiting' || state === 'running';

/** The files this person asked for, latest first; looked at each second while one is being made. */
export function useJobs() {
  return useQuery({
    ...query('/api/owner/report/job/list', {}),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 1000 : false),
  });
}

/** Shows a job that was just asked for, in the foot of the menu. */
export function useFollowJob() {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: ['/api/owner/report/job/list'] }), [client]);
}

export const cancelJob = (id: string) => call('/api/owner/report/job/cancel', { id });
