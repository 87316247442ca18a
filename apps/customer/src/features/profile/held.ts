import type { Detail } from '@wlv/client/call';

/** What the shop holds about the person. */
export type Held = Detail<'/api/user/privacy/get'>;
