/** A place on the map, in degrees. */
export interface MapPlace {
  latitude: number;
  longitude: number;
}

const pair = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const plain = new RegExp(`^${pair}\\s*[,\\s]\\s*${pair}$`);
/** The pin of a Google place; the middle of its map is a little beside it. */
const pin = new RegExp(`!3d${pair}!4d${pair}`);
const middle = new RegExp(`@${pair},${pair}`);
const inPath = new RegExp(`/(?:search|place|dir)/[^@]*?${pair},[+\\s]*${pair}`);

const google = /^(?:www\.|maps\.)?google\.[a-z.]{2,6}$/;
const shortened = /^(?:maps\.app\.goo\.gl|goo\.gl|g\.co|maps\.apple)$/;

/**
 * The place that somebody pasted: coordinates, or a long link of Google or Apple. `short` is a link that says it only to who follows it,
 * which neither this page can do nor the server may; null is anything else.
 */
export function mapPlace(text: string): MapPlace | 'short' | null {
  const trimmed = text.trim();
  const numbers = plain.exec(trimmed);
  if (numbers) return place(numbers);
  const url = URL.parse(/^https?:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url) return null;
  if (shortened.test(url.hostname)) return 'short';
  if (url.hostname === 'maps.apple.com') return ofQuery(url, ['coordinate', 'll', 'q', 'daddr']);
  if (!google.test(url.hostname)) return null;
  const path = decodeURIComponent(url.pathname);
  return (
    place(pin.exec(trimmed)) ??
    ofQuery(url, ['q', 'query', 'destination', 'daddr', 'll', 'center']) ??
    place(inPath.exec(path)) ??
    place(middle.exec(path))
  );
}

function ofQuery(url: URL, names: string[]): MapPlace | null {
  for (const name of names) {
    const found = place(plain.exec(url.searchParams.get(name)?.replace(/^loc:/, '').trim() ?? ''));
    if (found) return found;
  }
  return null;
}

function place(found: RegExpExecArray | null): MapPlace | null {
  if (!found) return null;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}
