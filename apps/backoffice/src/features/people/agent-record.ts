import type { Detail } from '@wlv/client/call';

/** An agent and what he has sent, as the office sees them. */
export type AgentRecord = Detail<'/api/owner/agent/record'>;
export type SentForm = AgentRecord['sent'][number];
