const key = 'charge-away';

/** Which payment the person left for at his bank: the bank's page brings him back without saying. */
export function rememberCharge(id: string) {
  sessionStorage.setItem(key, id);
}

export function rememberedCharge() {
  return sessionStorage.getItem(key) ?? '';
}
