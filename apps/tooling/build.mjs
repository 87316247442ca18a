// Builds the three apps one after another (together they take as long) into dist/, with .br and .gz beside each asset. An app
// whose sources are those of its last build is not built again.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const compressible = /\.(js|css|svg|json)$/;

/** A hash over names and contents of what a build of any app may read. */
async function sources() {
  // Catalogues that `lingui compile` wrote, as in the check, are not read by a build: they would make it build again.
  const skipped =
    /^(node_modules|dist|storybook-static|test-results|playwright-report|e2e|\.storybook)$|\.(test|stories)\.|^(en|th)\.js$/;
  const files = [];
  const walk = async (folder) => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (skipped.test(entry.name)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  await walk(workspace.replace(/\/$/, ''));

  const hash = createHash('sha256');
  for (const path of files.sort()) {
    const content = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    hash.update(`${relative(workspace, path)} ${content}\n`);
  }
  return hash.digest('hex');
}

async function compress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));

  await Promise.all(
    files.map(async (entry) => {
      const path = `${entry.parentPath}/${entry.name}`;
      const content = await readFile(path);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
    }),
  );
}

const now = await sources();
const asked = process.argv.slice(2);
for (const app of asked.length ? asked : ['customer', 'agent', 'backoffice']) {
  const stamp = `${workspace}dist/${app}.sources`; // beside the app's folder, which a build empties and the program serves
  if ((await readFile(stamp, 'utf8').catch(() => '')) === now) continue;
  await rm(stamp, { force: true });
  const { build } = await import('vite');
  await build({ root: `${workspace}${app}`, logLevel: 'warn' });
  await compress(`${workspace}dist/${app}/assets`);
  await writeFile(stamp, now);
  console.log(`built ${app}`);
}
