export type Appearance = 'light' | 'dark' | 'device';

/** Light or dark by choice, else as the device wants. */
export function appearance(): Appearance {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'device';
}

/** Applies it at once; the server reads the cookie and writes the next page so from its first byte. */
export function choose(next: Appearance) {
  if (next === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  const value = next === 'device' ? 'theme=; max-age=0' : `theme=${next}; max-age=2147483647`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every phone we serve
  document.cookie = `${value}; path=/; samesite=lax`;
}
