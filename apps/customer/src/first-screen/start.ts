/** The button that was pressed last before the app was there to hear it: it is pressed again when it is. */
let pressed: HTMLElement | null | undefined;
const press = ({ target }: Event) => {
  pressed = (target as Element).closest('button');
};
addEventListener('click', press);
addEventListener(
  'app-hydrated',
  () => {
    removeEventListener('click', press);
    pressed?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    pressed?.click();
  },
  { once: true },
);

/**
 * Where the server has painted the first screen, the app comes after what is seen: its tags wait in a template until the
 * browser has shown the largest picture, or somebody touches the page. Where it does not say so (there is no picture, it
 * is broken, the browser cannot say), that is half a second after the page has loaded, and after two at the latest.
 */
function begin() {
  const waiting = document.querySelector<HTMLTemplateElement>('#app-script');
  waiting?.replaceWith(waiting.content);
}

for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, begin, true);
// Frames are no measure: what a page has drawn may reach a busy phone's screen long after the next frame began.
new PerformanceObserver((shown) => {
  for (const { element } of shown.getEntries() as LargestContentfulPaint[]) {
    if ((element as HTMLImageElement | null)?.fetchPriority === 'high') begin();
  }
}).observe({ type: 'largest-contentful-paint', buffered: true });
addEventListener('load', () => setTimeout(begin, 500));
setTimeout(begin, 2_000);
