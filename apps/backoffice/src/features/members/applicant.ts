import type { Detail } from '@wlv/client/call';

/** A customer whose application waits for an answer. */
export type Applicant = Detail<'/api/owner/memberlist/waiting'>['data'][number];
