import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, type Row as ListRow, query } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';

export type Row = ListRow<'/api/admin/organize/list'>;
/** One with everything that its own page shows of it. */
export type Organisation = Detail<'/api/admin/organize/detail'>;
export type Step = Organisation['steps'][number];

export type Plan = ListRow<'/api/admin/plan/list'>;

export const states = {
  provisioning: { name: msg`Being opened`, tone: 'info' },
  live: { name: msg`Live`, tone: 'ok' },
  suspended: { name: msg`Suspended`, tone: 'bad' },
} satisfies Record<Row['state'], { name: unknown; tone: ChipTone }>;

/** All plans, those that can be chosen first, and the modules that there are. */
export function usePlans() {
  return useQuery({ ...query('/api/admin/plan/list', {}), staleTime: 600_000 });
}
