import { type ConsoleMessage, expect, type Page } from '@playwright/test';

/** What the browser says of a page while somebody walks: errors of ours, without the refusals that a walk asks for. */
export function listenForErrors(page: Page) {
  const errors: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(`${page.url()}: ${message.text()}`);
  });
  return errors;
}

/**
 * Fails with the words and buttons that the edge of the screen cuts off, where nothing scrolls to them. Asks until the
 * page has taken its size: an open menu finds its new place a frame after the window changed.
 */
export async function expectInside(page: Page) {
  await expect.soft.poll(() => cutOff(page), { message: page.url(), timeout: 3_000 }).toEqual([]);
}

function cutOff(page: Page) {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) ||
      (element.parentElement !== null && scrolls(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.matches('a, button, input') || [...element.childNodes].some(isText))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .filter((element) => !endsInEllipsis(element))
      .filter(
        (element) => element.checkVisibility() && !element.closest('[aria-hidden=true], .sr-only') && !scrolls(element),
      )
      .map((element) => `${element.tagName.toLowerCase()} “${element.textContent?.trim().slice(0, 40)}”`);

    // What is within a line that ends in an ellipsis on the screen is not cut off by its edge.
    function endsInEllipsis(element: Element): boolean {
      const line = element.parentElement;
      if (!line) return false;
      const ends =
        getComputedStyle(line).textOverflow === 'ellipsis' && line.getBoundingClientRect().right <= innerWidth + 1;
      return ends || endsInEllipsis(line);
    }

    function isText(node: Node) {
      return node.nodeType === Node.TEXT_NODE && Boolean(node.textContent?.trim());
    }
  });
}
