/** What asking for money of the wallet changes, and what its answer does. */
export const changed = /^\/api\/user\/(cashout|wallet|getwallet|message)/;
