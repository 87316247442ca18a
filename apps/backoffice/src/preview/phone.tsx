import { themeVariables } from '@wlv/ui/theme-scope';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTheme } from './theme.ts';

/** What a customer's phone is wide. */
const phoneWidth = 390;

/**
 * A phone with a page of its own inside: it has a phone's width for every media query, and the colours it is given.
 * It is a picture of the customer's screen, not a way to use it.
 */
export function Phone({
  label,
  primary,
  secondary,
  dark = false,
  width,
  height,
  children,
}: {
  label: string;
  primary: string;
  secondary: string;
  dark?: boolean;
  /** Of the glass, in pixels of the office. */
  width: number;
  height: number;
  children: ReactNode;
}) {
  const [page, setPage] = useState<Document>();
  const scale = width / phoneWidth;
  const theme = useTheme({ primary, secondary }).data;
  const tokens = dark ? theme?.night : theme?.day;

  useEffect(() => {
    if (!page) return;
    const root = page.documentElement;
    root.lang = document.documentElement.lang;
    root.dataset.theme = dark ? 'dark' : 'light';
    for (const [name, value] of Object.entries(tokens ? themeVariables(tokens, dark) : {})) {
      if (name.startsWith('--')) root.style.setProperty(name, String(value));
    }
    root.style.colorScheme = dark ? 'dark' : 'light';
  }, [page, tokens, dark]);

  return (
    <div
      className="relative shrink-0 overflow-hidden rounded-[34px] bg-background shadow-[0_0_0_7px_#1b1a18,0_24px_50px_-12px_rgb(24_20_14/30%)]"
      style={{ width, height }}
    >
      <iframe
        title={label}
        tabIndex={-1}
        srcDoc="<!doctype html><html><head></head><body></body></html>"
        onLoad={(event) => setPage(dressed(event.currentTarget.contentDocument))}
        className="pointer-events-none absolute left-0 top-0 origin-top-left border-0"
        style={{ width: phoneWidth, height: height / scale, transform: `scale(${scale})` }}
      />
      {page && createPortal(<div inert>{children}</div>, page.body)}
    </div>
  );
}

/** Gives the inner page our style sheets. */
function dressed(page: Document | null) {
  if (!page) return undefined;
  for (const sheet of document.querySelectorAll('link[rel=stylesheet], style:not(#org-theme)')) {
    page.head.append(sheet.cloneNode(true));
  }
  page.body.style.overflow = 'hidden';
  return page;
}
