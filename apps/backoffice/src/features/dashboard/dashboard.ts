import type { Detail } from '@wlv/client/call';

/** How a shop is doing; each part is there for who may see it. */
export type Dashboard = Detail<'/api/owner/dashboard'>;
export type Sales = NonNullable<Dashboard['sales']>;
