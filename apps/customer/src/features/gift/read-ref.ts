const claimPath = /\/(?:transfer|transferuser|transferdata)(?:\/|$)/i;

/**
 * What the link of a gift carries, from what a QR says or somebody typed: a link under any host, plain or with `liff.state`, or what it
 * carries alone. It returns undefined for everything else; an agent's link has a `ref` as well. gifts is the id of the shop's LIFF app for gifts.
 */
export function readRef(text: string, gifts = ''): string | undefined {
  const said = text.trim();
  if (/^[\w-]{22}$/.test(said)) return said;
  if (!/^https?:/i.test(said) || !URL.canParse(said)) return undefined;
  const link = new URL(said);
  const state = link.searchParams.get('liff.state') ?? '';
  const behind = new URL(state.startsWith('/') ? state : `/${state}`, 'https://behind.invalid');
  const path = `${link.pathname}/${behind.pathname}`;
  if (!claimPath.test(path) && !(gifts && link.pathname.split('/').includes(gifts))) return undefined;
  return link.searchParams.get('ref') ?? behind.searchParams.get('ref') ?? undefined;
}
