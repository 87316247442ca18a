import { type ComponentProps, type CSSProperties, useMemo } from 'react';
import { theme } from '../theme/theme.ts';

/** Shows what is inside in two organisation colours (`#rrggbb`), by day or by night, whatever the page is. */
export function ThemeScope({
  primary,
  secondary,
  dark = false,
  style,
  ...props
}: ComponentProps<'div'> & { primary: string; secondary: string; dark?: boolean }) {
  const variables = useMemo(() => themeVariables(primary, secondary, dark), [primary, secondary, dark]);
  return <div data-slot="theme-scope" style={{ ...variables, ...style }} {...props} />;
}

/** The tokens as CSS variables; what a dark page derives from them is said here too. */
export function themeVariables(primary: string, secondary: string, dark: boolean): CSSProperties {
  const tokens = Object.entries(theme(primary, secondary, dark)).map(([name, value]) => [`--${name}`, value]);
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
    ...Object.fromEntries(tokens),
    ...derived,
    colorScheme: dark ? 'dark' : 'light',
    color: 'var(--text)',
  } as CSSProperties;
}
