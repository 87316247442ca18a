import type { ComponentProps, CSSProperties } from 'react';
import type { Tokens } from '../theme/theme.ts';

/** Shows what is inside in the colours of a theme, by day or by night, whatever the page is; in the page's own until they are there. */
export function ThemeScope({
  tokens,
  dark = false,
  style,
  ...props
}: ComponentProps<'div'> & { tokens: Tokens | undefined; dark?: boolean }) {
  return <div data-slot="theme-scope" style={{ ...(tokens && themeVariables(tokens, dark)), ...style }} {...props} />;
}

/** The tokens as CSS variables; what a dark page derives from them is said here too. */
export function themeVariables(tokens: Tokens, dark: boolean): CSSProperties {
  const derived = dark
    ? {
        '--edge': 'var(--line)',
        '--track': 'var(--raised)',
        '--ticket-edge': 'var(--line-strong)',
        '--ticket-cast': 'transparent',
        '--shadow-s': '0 0 0 transparent',
      }
    : {
        '--edge': 'rgb(24 20 14 / 7%)',
        '--track': 'var(--sunken)',
        '--ticket-edge': 'rgb(24 20 14 / 30%)',
        '--ticket-cast': 'rgb(24 20 14 / 7.5%)',
        '--shadow-s': '0 1px 2px rgb(24 20 14 / 5%), 0 8px 24px -8px rgb(24 20 14 / 10%)',
      };
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value])),
    ...derived,
    colorScheme: dark ? 'dark' : 'light',
    color: 'var(--text)',
  } as CSSProperties;
}
