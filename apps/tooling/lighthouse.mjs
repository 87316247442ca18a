// What a phone sees first: Lighthouse's mobile profile on the market and on a package, the median of three runs each.
// It starts a platform of its own with the demo organisations (PORT, 8460), prints a table, and fails where a goal is missed.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';

const root = fileURLToPath(new URL('../../', import.meta.url));
const port = Number(process.env.PORT ?? 8460);
const debugging = port + 9;
const shop = `http://lamai.localhost:${port}`;
const runs = 3;

/** Goals: `least` is a floor, `most` a ceiling. */
const figures = [
  { name: 'script, KB br', most: 130, read: (r) => scriptBytes(r) / 1024, digits: 1 },
  { name: 'LCP, s', most: 2.5, read: (r) => r.audits['largest-contentful-paint'].numericValue / 1000, digits: 2 },
  { name: 'CLS', most: 0.02, read: (r) => r.audits['cumulative-layout-shift'].numericValue, digits: 3 },
  { name: 'accessibility', least: 100, read: (r) => r.categories.accessibility.score * 100, digits: 0 },
  { name: 'best practices', least: 100, read: (r) => r.categories['best-practices'].score * 100, digits: 0 },
];

const scriptBytes = (result) =>
  result.audits['network-requests'].details.items
    .filter((request) => request.resourceType === 'Script')
    .reduce((sum, request) => sum + request.transferSize, 0);

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false; // nobody listens yet
  }
}

async function platform() {
  const data = '.cache/lighthouse/data';
  rmSync(`${root}${data}`, { recursive: true, force: true });
  const server = spawn('go', ['run', './tools/dev'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DEV_DATA: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  for (let waited = 0; ; waited += 500) {
    if (server.exitCode !== null) throw new Error('the platform did not start');
    if (waited > 240_000) throw new Error('the demo data did not load within four minutes');
    if (existsSync(`${root}${data}/demo/loaded`) && (await answers(`http://localhost:${port}/api/health`))) break;
    await setTimeout(500);
  }
  return async () => {
    server.kill('SIGTERM');
    await ended;
  };
}

/** The address of the first package that the market shows. */
async function firstPackage(browser) {
  const page = await browser.newPage();
  await page.goto(`${shop}/user/market`);
  const href = await page.locator('main a[href*="/user/market/"]').first().getAttribute('href');
  await page.close();
  return new URL(href, shop).href;
}

async function measure(url) {
  const results = [];
  for (let run = 0; run < runs; run++) {
    const { lhr } = await lighthouse(url, {
      port: debugging,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
    });
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    results.push(lhr);
  }
  for (const category of ['accessibility', 'best-practices']) {
    for (const { id } of results[0].categories[category].auditRefs) {
      const { score, title } = results[0].audits[id];
      if (score !== null && score < 1) console.log(`  ${category}: ${id}: ${title}`);
    }
  }
  return figures.map((figure) => ({ ...figure, value: median(results.map(figure.read)) }));
}

const stop = await platform();
let missed = 0;
try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', `--remote-debugging-port=${debugging}`],
  });
  const pages = { market: `${shop}/user/market`, package: await firstPackage(browser) };
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  console.log(
    `Lighthouse, mobile, median of ${runs}; ${new Date().toISOString()}, commit ${commit}, ${cpus().length} cores\n`,
  );
  const rows = [];
  for (const [page, url] of Object.entries(pages)) {
    const load = loadavg()[0].toFixed(1);
    for (const { name, value, most, least, digits } of await measure(url)) {
      const reached = most === undefined ? value >= least : value <= most;
      missed += reached ? 0 : 1;
      rows.push([
        page,
        name,
        value.toFixed(digits),
        most === undefined ? `≥ ${least}` : `≤ ${most}`,
        reached ? 'yes' : 'NO',
        load,
      ]);
    }
  }
  await browser.close();
  for (const row of [['page', 'figure', 'value', 'goal', 'reached', 'load'], ...rows]) {
    console.log(row.map((cell, i) => cell.padEnd([9, 16, 9, 9, 8, 5][i])).join(' '));
  }
  mkdirSync(`${root}.cache/lighthouse`, { recursive: true });
  appendFileSync(
    `${root}.cache/lighthouse/results.jsonl`,
    `${JSON.stringify({ at: new Date().toISOString(), commit, rows })}\n`,
  );
} finally {
  await stop();
}
process.exit(missed > 0 ? 1 : 0);
