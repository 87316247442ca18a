/** Where a sign-in that waits for a code stays between LINE's page and ours. */
const key = 'pending-sign-in';

export function keepPending(pending: string) {
  sessionStorage.setItem(key, pending);
}

export function readPending() {
  return sessionStorage.getItem(key) ?? '';
}

export function forgetPending() {
  sessionStorage.removeItem(key);
}
