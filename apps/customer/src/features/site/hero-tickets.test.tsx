import { cleanup, screen } from '@testing-library/react';
import examples from '@wlv/ui/theme/examples.json';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(cleanup);

/** WCAG's contrast ratio. */
function contrast(a: string, b: string) {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

it('shows prices and buttons that are read by day and by night, whose ever colours they are', async () => {
  await renderPage('/', {}, { signedIn: false, org: null });
  const link = await screen.findByRole('link', { name: 'Choose a shop' });
  expect(link.getAttribute('href')).toBe('/loginpage');

  const platform = examples.find((theme) => theme.primary === '#e50014');
  const tickets = [...(document.querySelector('[data-slot=ticket-fan]')?.children ?? [])];
  expect(tickets).toHaveLength(3);
  for (const ticket of tickets) {
    const style = ticket.getAttribute('style') ?? '';
    const [, day = '', night = ''] = /--brand-text: ?light-dark\((#\w{6}), (#\w{6})\)/.exec(style) ?? [];
    const [, brand = ''] = /--brand: ?(#\w{6})/.exec(style) ?? [];
    const [, foreground = ''] = /--brand-fg: ?(#\w{6})/.exec(style) ?? [];
    expect(contrast(day, platform?.day.surface ?? ''), day).toBeGreaterThanOrEqual(4.5);
    expect(contrast(night, platform?.night.surface ?? ''), night).toBeGreaterThanOrEqual(4.5);
    expect(contrast(foreground, brand), brand).toBeGreaterThanOrEqual(4.5);
  }
});
