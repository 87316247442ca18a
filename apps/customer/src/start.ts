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

const frame = () => new Promise(requestAnimationFrame);

for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, begin, true);
addEventListener('load', () => {
  // A picture that has loaded is decoded beside the page, and seen a frame after that; one that is broken is not waited for.
  const largest = document.querySelector<HTMLImageElement>('#app img[fetchpriority=high]');
  void Promise.allSettled([largest?.decode()]).then(frame).then(frame).then(begin);
});
setTimeout(begin, patience);
