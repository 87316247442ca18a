import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type FullConfig } from '@playwright/test';

/** Where `make screenshots` leaves its pictures: a folder for each face and size, and the sheets. */
export const folder = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

/** Draws the pictures of each face onto sheets, once all are taken. */
export default async function sheets(config: FullConfig) {
  const browser = await chromium.launch(config.projects[0]?.use.launchOptions);
  for (const face of readdirSync(folder)) if (face !== 'sheets') await sheet(browser, face);
  await browser.close();
}

/** All pictures of a face, as many on a page as can still be read. */
async function sheet(browser: Browser, face: string) {
  const names = readdirSync(`${folder}${face}`).sort();
  const [width, each] = face.endsWith('phone') ? [260, 14] : [460, 16];
  const page = await browser.newPage({ viewport: { width: 1900, height: 1000 } });
  mkdirSync(`${folder}sheets`, { recursive: true });
  for (let first = 0; first < names.length; first += each) {
    const figures = names.slice(first, first + each).map((name) => {
      const picture = readFileSync(`${folder}${face}/${name}`).toString('base64');
      return `<figure style="margin:0"><img width="${width}" src="data:image/png;base64,${picture}"><figcaption>${name}</figcaption></figure>`;
    });
    await page.setContent(
      `<body style="display:flex;flex-wrap:wrap;gap:12px;align-items:start;background:#777;font:12px sans-serif;color:#fff">${figures.join('')}`,
    );
    await page.screenshot({ path: `${folder}sheets/${face}-${first / each + 1}.png`, fullPage: true });
  }
  await page.close();
}
