/**
 * Where the server has painted the first screen, the app comes after what is seen: its tags wait in a template until the
 * page and its largest picture have loaded, or somebody touches the page, or the line is too slow to wait for.
 */
const patience = 2_000;

function begin() {
  const waiting = document.querySelector<HTMLTemplateElement>('#app-script');
  waiting?.remove();
  if (waiting) document.head.append(waiting.content);
}

for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, begin, true);
// A frame later than all that was loaded can be seen.
addEventListener('load', () => requestAnimationFrame(() => setTimeout(begin)));
setTimeout(begin, patience);
