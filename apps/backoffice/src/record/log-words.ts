import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What is done to an organisation, as the audit log says it. */
export const actions: Record<string, MessageDescriptor> = {
  open: msg`Opened it`,
  retry: msg`Went on with its opening`,
  change: msg`Changed its name or look`,
  change_plan: msg`Changed its plan`,
  suspend: msg`Suspended it`,
  resume: msg`Resumed it`,
  add_host: msg`Added an address`,
  canonical_host: msg`Chose its main address`,
  remove_host: msg`Removed an address`,
  verify_host: msg`Had an address confirmed`,
  connect_line: msg`Changed LINE`,
  connect_payment: msg`Changed payments`,
};

/** Who is no admin, as the audit log says it. */
export const actors: Record<string, MessageDescriptor> = {
  owner: msg`The owner's office`,
  operator: msg`A command`,
  system: msg`The clock`,
};

/** What is done on the platform beside that. */
export const platformActions: Record<string, MessageDescriptor> = {
  add: msg`Added it`,
  save: msg`Changed it`,
  remove: msg`Removed it`,
  answer: msg`Answered it`,
  invite: msg`Made a link to a password`,
  take_back: msg`Took the link back`,
  join: msg`Set a password by the link`,
  end_sessions: msg`Ended sessions`,
  export: msg`Took a file of the audit log`,
  link_line: msg`Linked LINE`,
  unlink_line: msg`Unlinked LINE`,
  count_anew: msg`Had figures counted anew`,
  run_again: msg`Had a job run again`,
  stop_job: msg`Stopped a job`,
};
