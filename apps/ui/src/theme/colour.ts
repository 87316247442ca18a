/** Linear-light sRGB channels, 0…1. */
type Rgb = [number, number, number];

interface Oklch {
  /** Lightness 0…1. */
  l: number;
  /** Chroma; below 0.02 the eye sees a grey. */
  c: number;
  /** Hue in radians. */
  h: number;
}

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const gamma = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
const clamp = (v: number) => Math.min(1, Math.max(0, v));

const channel = (hex: string, from: number) => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
const rgb = (hex: string): Rgb => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];

const byte = (v: number) =>
  Math.round(clamp(v) * 255)
    .toString(16)
    .padStart(2, '0');
const hex = ([r, g, b]: Rgb) => `#${byte(r)}${byte(g)}${byte(b)}`;

function luminance(colour: string) {
  const [r, g, b] = rgb(colour);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** WCAG 2 contrast ratio of two colours, 1…21. */
export function contrast(a: string, b: string) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export function oklch(colour: string): Oklch {
  const [r, g, b] = rgb(colour).map(linear) as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(A, B),
    h: Math.atan2(B, A),
  };
}

function oklchToLinear({ l: L, c, h }: Oklch): Rgb {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The nearest sRGB colour of the same lightness and hue: chroma is lowered in steps until it fits. */
export function toHex(l: number, c: number, h: number) {
  for (let chroma = c; chroma > 0; chroma -= 0.004) {
    const v = oklchToLinear({ l, c: chroma, h });
    if (v.every((x) => x > -0.001 && x < 1.001)) return hex(v.map((x) => gamma(Math.max(0, x))) as Rgb);
  }
  return hex(oklchToLinear({ l, c: 0, h }).map((x) => gamma(clamp(x))) as Rgb);
}

/** `share` of a over b, mixed in sRGB. */
export function mix(a: string, b: string, share: number) {
  const [x, y] = [rgb(a), rgb(b)];
  return hex(x.map((v, i) => v * share + (y[i] ?? 0) * (1 - share)) as Rgb);
}

/** Text on any fill: white if it reads, else near-black, else black. √(1.05/0.05) = 4.58, so one always reads. */
export function on(fill: string) {
  return ['#ffffff', '#15130f'].find((text) => contrast(text, fill) >= 4.5) ?? '#000000';
}

/** Walks lightness away from the grounds until the ratio holds on every one of them; hue and chroma stay. */
export function solve(source: string, grounds: string[], ratio: number, direction: 1 | -1) {
  const { l, c, h } = oklch(source);
  for (let step = l; step >= 0 && step <= 1; step += direction * 0.008) {
    const found = toHex(step, Math.min(c, 0.2), h);
    if (grounds.every((ground) => contrast(found, ground) >= ratio)) return found;
  }
  return direction < 0 ? '#000000' : '#ffffff';
}
