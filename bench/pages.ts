import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { chromiumMissing, launchChromium } from '#test/browser/chromium.ts';
import { enterWithKeyFile } from '#test/browser/signed-in.ts';
import { scriptKilobytes } from '#test/browser/weight.ts';
import { startCloudServer } from './cloud-server.ts';
import { type Finding, measured } from './measure/finding.ts';
import { type Home, openHome } from './pages/home.ts';
import { panning } from './pages/panning.ts';
import { type ProcessorTime, processorShare } from './pages/processor-share.ts';

const core = '% of a core';
const perSecond = 50;
const seconds = 5;
const rounds = 5;

/** Measures the size of the pages, their loading time, and their CPU use while open. */
export async function pages(): Promise<Finding[]> {
  if (chromiumMissing) throw new Error(chromiumMissing);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  await using server = await startCloudServer(folder.path);
  await using home = await openHome(server);
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' });
    await signIn(context, home);
    const { weights, waits } = await loads(context, home);
    const { quiet, busy } = await looks(browser, context, home);
    const frames = await panning(context, await context.newPage(), home);
    const told = `Now with ${perSecond} readings a second`;
    return [
      measured('Now, first load: JavaScript, compressed', 'KB', weights, { of: 'value', atMost: 150 }),
      measured('Now, until its values are there, nothing cached', 'ms', waits, { of: 'value', atMost: 1000 }),
      measured('Now with no readings: CPU of Chromium', core, of('all', quiet)),
      measured(`${told}: CPU of the page`, core, of('pages', busy)),
      measured(`${told}: CPU of Chromium`, core, of('all', busy), { of: 'value', atMost: 20 }),
      measured('history of 100 000 points and three lines, dragged: time of a picture, 95 %', 'ms', frames, {
        of: 'value',
        atMost: 33,
      }),
    ];
  } finally {
    await browser.close();
  }
}

const of = (whose: keyof ProcessorTime, shares: ProcessorTime[]): number[] => shares.map((share) => share[whose]);

async function signIn(context: BrowserContext, { url, pem, tell }: Home): Promise<void> {
  const page = await context.newPage();
  await page.goto(url);
  await enterWithKeyFile(page, { name: 'key.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(pem) });
  await tell(perSecond, 1);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.close();
}

/** Opens a new tab each time, with the key and an empty cache. */
async function loads(context: BrowserContext, { url }: Home): Promise<{ weights: number[]; waits: number[] }> {
  const weights: number[] = [];
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const began = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('.node.house .watts', { hasText: /\d/ }).waitFor();
    waits.push(performance.now() - began);
    weights.push(await scriptKilobytes(page));
    await page.close();
  }
  return { weights, waits };
}

async function looks(browser: Browser, context: BrowserContext, { url, tell }: Home) {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  const quiet = [];
  const busy = [];
  for (let round = 0; round < rounds; round++) {
    quiet.push(await processorShare(browser, () => page.waitForTimeout(seconds * 1000)));
    busy.push(await processorShare(browser, () => tell(perSecond, seconds)));
  }
  await page.close();
  return { quiet, busy };
}
