import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const loaded = fileURLToPath(new URL('../../.cache/e2e/demo/loaded', import.meta.url));

/** The platform answers before its demo data is complete; the tests wait for the mark that it is. */
export default async function whenLoaded() {
  for (let waited = 0; !existsSync(loaded); waited += 200) {
    if (waited > 240_000) throw new Error('the demo data did not load within four minutes');
    await setTimeout(200);
  }
}
