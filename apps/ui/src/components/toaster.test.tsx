import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { toast } from './toast.tsx';
import { Toaster } from './toaster.tsx';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** A foot of the page that takes these pixels from the top of the screen, 768 high, and from its left. */
function foot(top: number, height: number, left = 0, width = 1024) {
  const element = document.createElement('div');
  element.dataset.foot = '';
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
  document.body.append(element);
  return element;
}

function bottomOfToasts() {
  i18n.load('en', {});
  i18n.activate('en');
  render(
    <I18nProvider i18n={i18n}>
      <Toaster />
    </I18nProvider>,
  );
  const list = document.querySelector('ol') as HTMLElement;
  list.getBoundingClientRect = () => new DOMRect(624, 600, 384, 100);
  act(() => toast({ tone: 'ok', title: 'In your cart' }));
  return () => list.style.bottom;
}

it('says things above the foot of the page, and above the foot over its tabs', async () => {
  foot(688, 80);
  const bottom = bottomOfToasts();
  expect(bottom()).toBe('96px');
  foot(612, 76);
  await vi.waitFor(() => expect(bottom()).toBe('172px'));
});

it('stays at the bottom where no foot is below it', () => {
  foot(688, 0); // tabs that a large screen hides
  foot(688, 80, 0, 600); // a foot beside it
  foot(300, 80); // a foot that has not been scrolled to
  expect(bottomOfToasts()()).toBe('16px');
});
