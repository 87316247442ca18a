// The first-load gate: script that a phone must fetch before a page shows, by following static imports in Vite's manifest.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** KB = 1024 bytes of gzip -9. The Thai catalogue is a static import of each entry, so it is counted. */
const budgets = [
  { app: 'customer', page: 'market', limit: 116 },
  { app: 'customer', page: 'package', limit: 118 },
  { app: 'agent', page: 'home', limit: 142 },
  { app: 'backoffice', page: 'shell', limit: 160 },
];

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** What the server asks for beside the first script where it paints the first screen (first-screen.ts). */
function painted(app, page) {
  const file = `${dist}${app}/first-screen.json`;
  if (!existsSync(file)) return [];
  const { start, scripts } = JSON.parse(readFileSync(file, 'utf8'));
  return [start, ...scripts[page]].map((address) => address.replace(`/assets/${app}/`, ''));
}

function firstLoad({ app, page }) {
  const manifest = JSON.parse(readFileSync(`${dist}${app}/manifest.json`, 'utf8'));
  const seen = new Set();
  const follow = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) follow(next);
  };
  follow('index.html');

  const files = [
    ...[...seen].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')),
    ...painted(app, page),
  ];
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
