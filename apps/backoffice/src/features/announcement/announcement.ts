import { useLingui } from '@lingui/react/macro';
import type { Detail, Row } from '@wlv/client/call';

export const list = '/api/admin/announcement/list';

export type Announcement = Row<typeof list>;
export type Plan = Detail<typeof list>['plans'][number];

/** What kinds of announcements are called. */
export function useKinds(): Record<Announcement['kind'], string> {
  const { t } = useLingui();
  return { news: t`News`, maintenance: t`Maintenance`, important: t`Important` };
}
