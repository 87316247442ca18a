import { PlatformMark } from '@wlv/ui/org-mark';
import type { CSSProperties } from 'react';

const red = { '--brand': '#e50014', '--brand-fg': '#ffffff' } as CSSProperties;

/** The platform's mark in the administration, whose own colour is navy: red stands only in the logo. */
export function RedMark({ size }: { size: number }) {
  return (
    <span style={red}>
      <PlatformMark size={size} />
    </span>
  );
}
