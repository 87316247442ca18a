import { contrast, mix, oklch, on, solve, toHex } from './colour.ts';

export { contrast };

type Tone = 'brand' | 'second';
type Meaning = 'ok' | 'warn' | 'bad' | 'info';

/** Every colour of the product by its token; `vectors.json` pins the same values for Go. */
export type Theme = Record<
  | 'bg'
  | 'surface'
  | 'raised'
  | 'sunken'
  | 'line'
  | 'line-strong'
  | 'text'
  | 'text-2'
  | 'text-3'
  | Tone
  | `${Tone}-${'fg' | 'hover' | 'soft' | 'text' | 'mark'}`
  | Meaning
  | `${Meaning}-${'soft' | 'text'}`
  | 'band'
  | 'band-fg'
  | 'band-fg-2'
  | 'band-shade',
  string
>;

const meanings: Record<Meaning, { degrees: number; lightness: number }> = {
  ok: { degrees: 152, lightness: 0.58 },
  warn: { degrees: 75, lightness: 0.74 },
  bad: { degrees: 25, lightness: 0.58 },
  info: { degrees: 245, lightness: 0.58 },
};

/**
 * Two organisation colours in (`#rrggbb`), all tokens out, by these rules:
 * whatever colours are picked, text reads (≥ 4.5:1) and marks are seen (≥ 3:1), by day and by night.
 */
export function theme(primary: string, secondary: string, dark = false): Theme {
  const t = neutrals(primary, dark);
  Object.assign(t, tone('brand', primary, t, dark), tone('second', secondary, t, dark), band(primary, dark));
  for (const meaning of Object.keys(meanings) as Meaning[]) Object.assign(t, semantic(meaning, t, dark));
  return t;
}

/** Paper and ink, tinted half a percent towards the organisation; a grey brand gets grey paper. */
function neutrals(primary: string, dark: boolean) {
  const { c, h } = oklch(primary);
  const tinted = c >= 0.02 ? 1 : 0;
  const n = (lightness: number, chroma: number) => toHex(lightness, chroma * tinted, h);

  const t = dark
    ? {
        bg: n(0.182, 0.008),
        surface: n(0.232, 0.01),
        raised: n(0.275, 0.011),
        sunken: n(0.155, 0.008),
        line: n(0.325, 0.011),
        'line-strong': n(0.56, 0.012),
        text: n(0.955, 0.004),
        'text-2': n(0.8, 0.01),
        'text-3': n(0.7, 0.012),
      }
    : {
        bg: n(0.977, 0.005),
        surface: '#ffffff',
        raised: '#ffffff',
        sunken: n(0.957, 0.007),
        line: n(0.915, 0.009),
        'line-strong': n(0.63, 0.014),
        text: n(0.23, 0.014),
        'text-2': n(0.44, 0.016),
        'text-3': n(0.52, 0.016),
      };
  return t as Theme;
}

function tone(name: Tone, source: string, t: Theme, dark: boolean) {
  const { c, h } = oklch(source);
  const away = dark ? 1 : -1;
  // A navy button must not vanish at night.
  const fill = dark ? solve(source, [t.bg, t.surface], 3, 1) : source;
  const soft = dark ? toHex(0.285, Math.min(c * 0.35, 0.032), h) : toHex(0.953, Math.min(c * 0.3, 0.022), h);
  const hover = Math.max(0, oklch(fill).l + (on(fill) === '#ffffff' ? -0.05 : 0.04));
  return {
    [name]: fill,
    [`${name}-fg`]: on(fill),
    [`${name}-hover`]: toHex(hover, oklch(fill).c, h),
    [`${name}-soft`]: soft,
    [`${name}-text`]: solve(source, [t.bg, t.surface, t.raised, t.sunken, soft], 4.5, away),
    [`${name}-mark`]: solve(source, [t.bg, t.surface, t.raised], 3, away),
  };
}

/** Good, careful, bad, to know: never derived from the organisation. */
function semantic(meaning: Meaning, t: Theme, dark: boolean) {
  const { degrees, lightness } = meanings[meaning];
  const hue = (degrees * Math.PI) / 180;
  const base = toHex(lightness, 0.15, hue);
  const soft = dark ? toHex(0.28, 0.05, hue) : toHex(0.957, 0.03, hue);
  return {
    [meaning]: base,
    [`${meaning}-soft`]: soft,
    [`${meaning}-text`]: solve(base, [t.bg, t.surface, t.raised, soft], 4.5, dark ? 1 : -1),
  };
}

/** The head of customer screens: primary as given, by night a deep shade of it. Its quiet text is a colour, never opacity. */
function band(primary: string, dark: boolean) {
  const p = oklch(primary);
  const ground = dark ? toHex(Math.min(p.l, 0.3), Math.min(p.c, 0.08), p.h) : primary;
  const text = on(ground);
  const quiet = [0.84, 0.9, 0.95].map((share) => mix(text, ground, share)).find((c) => contrast(c, ground) >= 4.5);
  const shade = Math.min(1, Math.max(0, oklch(ground).l + (text === '#ffffff' ? -0.055 : 0.035)));
  return {
    band: ground,
    'band-fg': text,
    'band-fg-2': quiet ?? text,
    'band-shade': toHex(shade, oklch(ground).c, p.h),
  };
}

const declarations = (t: Theme) =>
  Object.entries(t)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/**
 * The organisation's `<style id="org-theme">`: light, dark by choice (`data-theme`), dark by the device.
 * The server writes the same text into the first byte; here it serves the owner's live preview and the stories.
 */
export function stylesheet(primary: string, secondary: string) {
  const [light, dark] = [theme(primary, secondary), theme(primary, secondary, true)].map(declarations);
  return `:root{${light}}:root[data-theme=dark]{${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}`;
}
