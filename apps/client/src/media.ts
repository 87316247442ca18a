/** A picture's address on the organisation's own host, as wide as asked for in pixels; null where there is none. */
export function pictureURL(picture: string | { id: string } | null | undefined, width: number): string | null {
  if (!picture) return null;
  return `/media/${typeof picture === 'string' ? picture : picture.id}?w=${width}`;
}

/** The same picture in these widths, from which the browser takes what its screen needs. */
export function mediaSet(picture: { id: string } | null | undefined, ...widths: number[]) {
  return picture ? widths.map((width) => `${pictureURL(picture, width)} ${width}w`).join(', ') : undefined;
}
