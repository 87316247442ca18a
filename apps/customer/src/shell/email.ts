/** Whether a text may be an e-mail address, by the specification's limits. */
export function isEmail(text: string) {
  const [local = ''] = text.split('@');
  return text.length >= 6 && text.length <= 254 && local.length <= 64 && /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text);
}
