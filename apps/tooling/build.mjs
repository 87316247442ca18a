// Builds the three apps one after another (together they take as long) into dist/, with .br and .gz beside each asset.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const compressible = /\.(js|css|svg|json)$/;

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

const asked = process.argv.slice(2);
for (const app of asked.length ? asked : ['customer', 'agent', 'backoffice']) {
  await build({ root: `${workspace}${app}`, logLevel: 'warn' });
  await compress(`${workspace}dist/${app}/assets`);
  console.log(`built ${app}`);
}
