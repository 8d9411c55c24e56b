import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../gateway/until.ts';
import { dataFolder, startUp } from '../stack/up-process.ts';
import { chromiumMissing, openChromium, phone } from './chromium.ts';
import { signedIn } from './signed-in.ts';

test('the page Now', { skip: chromiumMissing, timeout: 120_000 }, async (t) => {
  const { state } = await startUp(t, dataFolder(t), ['--houses', '2']);
  const browser = await openChromium(t);
  const address = `${state.cloud_url}/app/sites/${state.site_id}`;

  await t.test('shows moving values soon after the key file was chosen', async () => {
    const { page, context, mistakes, outside } = await signedIn(browser, state);
    await page.getByRole('link', { name: 'Simulated home' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const house = page.locator('.node.house .watts');
    const first = await house.textContent();
    await until(
      () => house.textContent(),
      (now) => now !== first,
    );
    assert.deepEqual({ mistakes, outside }, { mistakes: [], outside: [] });
    await context.close();
  });

  await t.test('fits a phone without scrolling sideways', async () => {
    const { page, context } = await signedIn(browser, state, { viewport: phone, hasTouch: true });
    await page.goto(address);
    await page.locator('.node.house').waitFor();
    const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(tooWide <= 0, `${tooWide} px too wide`);
    await context.close();
  });
});
