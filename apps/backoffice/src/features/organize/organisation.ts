import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query, type Row } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';

export type Organisation = Row<'/api/admin/organize/list'>;
export type Step = Detail<'/api/admin/organize/detail'>['steps'][number];

export const states = {
  provisioning: { name: msg`Being opened`, tone: 'info' },
  live: { name: msg`Live`, tone: 'ok' },
  suspended: { name: msg`Suspended`, tone: 'bad' },
} satisfies Record<Organisation['state'], { name: unknown; tone: ChipTone }>;

export function usePlans() {
  return useQuery({ ...query('/api/admin/plan/list', {}), staleTime: 600_000 });
}
