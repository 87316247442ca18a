import { msg } from '@lingui/core/macro';

/** What the rights of an office's account are called, by its role. */
export const roles = {
  superadmin: { title: msg`Owner, everything` },
  admin: { title: msg`Administrator, everything` },
  adminowner: { title: msg`Owner's deputy, everything` },
  user: { title: msg`By permission set` },
};
