const key = 'topup-away';

/** Which top-up the person left for at his bank: the bank's page brings him back without saying. */
export function rememberTopup(id: string) {
  sessionStorage.setItem(key, id);
}

export function rememberedTopup() {
  return sessionStorage.getItem(key) ?? '';
}
