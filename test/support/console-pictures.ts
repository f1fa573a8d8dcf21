import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, type BrowserPage } from './browser';

/**
 * `npm run pictures -- LINK FOLDER` takes the screenshots in docs/images. LINK is a sign-in link to the console,
 * printed by `npm start`.
 */
const SIZES = { '390': { width: 390, height: 844 }, '1440': { width: 1440, height: 900 } };
const QUALITY = 70;

async function main(): Promise<void> {
  const [link = '', folder = 'docs/images'] = process.argv.slice(2);
  const { origin } = new URL(link);
  mkdirSync(folder, { recursive: true });
  const browser = await Browser.launch();
  try {
    const first = await browser.open(link, SIZES['1440']);
    await first.evaluate(`document.querySelector('main form button').click()`);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const held = await linkOn(browser, `${origin}/runs?state=held`, 'td a[href^="/runs/"]');
    const run = await browser.open(origin + held, SIZES['1440']);
    const listing = String(await run.evaluate(`document.querySelector('.listings a').getAttribute('href')`));
    const pages = { overview: '/', gateways: '/gateways', run: held, listing };
    for (const [name, path] of Object.entries(pages)) {
      for (const [width, size] of Object.entries(SIZES)) {
        const page = await browser.open(origin + path, size);
        for (const scheme of ['light', 'dark'])
          await takePicture(page, scheme, join(folder, `console-${name}-${width}-${scheme}.webp`));
        await page.send('Page.close');
      }
    }
  } finally {
    await browser.close();
  }
}

async function linkOn(browser: Browser, url: string, selector: string): Promise<string> {
  const page = await browser.open(url, SIZES['1440']);
  return String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getAttribute('href')`));
}

async function takePicture(page: BrowserPage, scheme: string, file: string): Promise<void> {
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const taken = await page.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(file, Buffer.from((taken as { data: string }).data, 'base64'));
}

void main();
