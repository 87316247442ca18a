/** A picture's address on the organisation's own host, as wide as asked for in pixels; null where there is none. */
export function media(picture: string | { id: string } | null | undefined, width: number): string | null {
  if (!picture) return null;
  return `/media/${typeof picture === 'string' ? picture : picture.id}?w=${width}`;
}
