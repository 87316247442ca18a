import { adminCalls } from '@wlv/client/modules.gen';
import { type Letter, usePerson } from './person.ts';

/** A call of the administration that asks for a right. */
export type AdminCall = keyof typeof adminCalls;

/** May this admin make a call? The server decides by the same table. */
export function useMayCall() {
  const { can } = usePerson();
  return (call: AdminCall) => {
    const { module, letter } = adminCalls[call];
    return can(module, letter as Letter);
  };
}
