// The first-load gate: script that a phone must fetch before a page shows, by following static imports in Vite's manifest.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** KB = 1024 bytes of gzip -9. The Thai catalogue is a static import of each entry, so it is counted. */
const budgets = [
  { app: 'customer', page: 'market', routes: [], limit: 128 },
  { app: 'agent', page: 'home', routes: [], limit: 142 },
  { app: 'backoffice', page: 'shell', routes: [], limit: 160 },
];

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

function firstLoad({ app, routes }) {
  const manifest = JSON.parse(readFileSync(`${dist}${app}/manifest.json`, 'utf8'));
  const seen = new Set();
  const follow = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) follow(next);
  };
  for (const key of ['index.html', ...routes]) follow(key);

  const files = [...seen].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'));
  return (
    files.reduce((sum, file) => sum + gzipSync(readFileSync(`${dist}${app}/${file}`), { level: 9 }).length, 0) / 1024
  );
}

let failed = false;
for (const budget of budgets) {
  const size = firstLoad(budget);
  const over = size > budget.limit;
  failed ||= over;
  console.log(`${budget.app} ${budget.page}: ${size.toFixed(1)} KB gz of ${budget.limit}${over ? '  OVER' : ''}`);
}
process.exit(failed ? 1 : 0);
