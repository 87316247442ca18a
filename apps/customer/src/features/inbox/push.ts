import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';

export type Push = Detail<'/api/user/push/get'>;

export const readPush = query('/api/user/push/get', {});

/** How the person is reached in LINE. */
export const usePush = () => useQuery(readPush);
