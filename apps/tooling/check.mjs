// Every check of the front end, in the order of how fast it answers; stops at the first that fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const tsc = 'node_modules/typescript7/bin/tsc';
const packages = ['tooling', 'ui', 'client', 'customer', 'agent', 'backoffice'];

const steps = [
  ['lint, format, imports', 'npx', 'biome', 'ci', '.'],
  ...packages.map((name) => [`types of ${name}`, 'node', tsc, '-p', name]),
  ['catalogues match the code', 'npx', 'lingui', 'extract', '--clean'],
  ['catalogues are committed', 'git', 'diff', '--exit-code', '--stat', '--', '*.po'],
  ['no sentence is untranslated', 'npx', 'lingui', 'compile', '--strict'],
  ['nothing is unused', 'npx', 'knip'],
  ['build', 'node', 'tooling/build.mjs'],
  ['first load', 'node', 'tooling/first-load.mjs'],
];

for (const [title, command, ...args] of steps) {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(command, args, { cwd: workspace, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\nfailed: ${title}`);
    process.exit(1);
  }
}
