import type { BrowserContext, Page } from 'playwright-core';
import type { Home } from './home.ts';

const shown = 100_000;
const stepMs = 1000;
const to = Date.UTC(2026, 5, 1);
const from = to - 2 * shown * stepMs; // twice as many as are visible, so that the chart can be moved

const noise = (turn: number): number => Math.sin(turn / 900) * 2000 + ((turn * 7919) % 701);

/** Answers like a platform whose meter was read every second. */
async function answerLong(context: BrowserContext): Promise<void> {
  const answered = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const points = Array.from({ length: 2 * shown }, (_, turn) => ({
    timestamp: from + turn * stepMs,
    L1_W: noise(turn),
    L2_W: noise(turn + 300) - 500,
    L3_W: noise(turn + 600) + 500,
  }));
  const ofDer = JSON.stringify({ der_id: 'der', type: 'meter', ...answered, resolution: '1m', points });
  const few = points.filter((_, turn) => turn % 3600 === 0).map(({ timestamp }) => ({ timestamp, W: 700 }));
  const ofSite = JSON.stringify({
    site_id: 'sit',
    ...answered,
    resolution: '1h',
    series: [{ kind: 'meter', points: few }],
  });
  for (const [path, body] of [
    ['ders', ofDer],
    ['sites', ofSite],
  ]) {
    await context.route(new RegExp(`/${path}/[^/]+/telemetry\\?`), (route) =>
      route.fulfill({ contentType: 'application/json', body: body! }),
    );
  }
}

// Milliseconds between two frames, collected in the page.
const collect = `(() => {
  let before = performance.now();
  globalThis.frames = [];
  const note = (now) => { frames.push(now - before); before = now; globalThis.stopped || requestAnimationFrame(note); };
  requestAnimationFrame(note);
})()`;

/** Drags a long chart to and fro; returns the 95th percentile of the time between two frames. */
export async function panning(context: BrowserContext, page: Page, { url, derId }: Home): Promise<number[]> {
  await answerLong(context);
  const range = `from=${encodeURIComponent(new Date(from).toISOString())}&to=${encodeURIComponent(new Date(to).toISOString())}`;
  await page.goto(`${url}/history?range=custom&${range}&view=device&der=${derId}&what=phases`);
  const chart = page.getByRole('application', { name: /^Power by phase/ });
  await chart.locator('canvas').waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await chart.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await chart.boundingBox())!;
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 10, y + height / 2);
    await page.evaluate(`globalThis.stopped = false; ${collect}`);
    for (let turn = 0; turn < 150; turn++) {
      await page.mouse.move(x + width / 2 + Math.sin(turn / 12) * width * 0.4, y + height / 2);
    }
    const frames = await page.evaluate<number[]>('(globalThis.stopped = true, frames.slice(1))');
    await page.mouse.up();
    rounds.push(frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!);
  }
  return rounds;
}
