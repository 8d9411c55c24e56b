import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { SiteCarbon } from '#contract/cloud/carbon.ts';
import { until } from '../until.ts';
import { button, card, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { openCutProxy } from './cut-proxy.ts';
import { takePicture } from './picture.ts';
import { goSettled } from './settled.ts';
import { sharedHome } from './shared.ts';
import { openVisits, phone } from './visits.ts';
import { scriptKilobytes } from './weight.ts';

type Manifest = {
  name: string;
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; purpose?: string }[];
};

const mostKilobytes = 60;
const mostShift = 0.1; // "good" of the Core Web Vitals

const slowMs = 150;

/** Requests for data; a stream stays open, and files of the page itself are not delayed. */
const isData = ({ pathname }: URL): boolean => !/^\/(app|assets|stream)(\/|$)|\.\w+$/.test(pathname);

const observeShift = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const untilKept = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('navigator.serviceWorker.ready.then(({ active }) => active !== null)');

/** Opens the demo home in a browser that keeps the pages. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/');
  await button(page, 'Open the demo home').click();
  await page.locator('.node.house .watts', { hasText: /\d/ }).waitFor();
  await untilKept(page);
}

const carbonOf = (site_id: string): SiteCarbon => ({
  site_id,
  from: '2026-11-18T23:00:00.000Z',
  to: '2026-11-19T05:00:00.000Z',
  timezone: 'Europe/Stockholm',
  import_wh: 4200,
  carbon_g: 126,
  covered_pct: 100,
  provider: 'Example',
});

test('the app', { skip: chromiumMissing, timeout: 200_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const own = { baseURL: state.cloud_url, viewport: phone, serviceWorkers: 'allow' } as const;

  await t.test('a browser can install it', async () => {
    await using visitor = await visits.visit(own);
    const { page, context } = visitor;
    await openHome(page);
    const wires = await context.newCDPSession(page);
    const { url, errors, data } = await wires.send('Page.getAppManifest');
    assert.deepEqual([new URL(url).pathname, errors], ['/manifest.webmanifest', []]);
    const { icons, ...manifest } = JSON.parse(data!) as Manifest;
    assert.deepEqual([manifest.name, manifest.start_url, manifest.display], ['Ohmstead', '/', 'standalone']);
    assert.ok(icons.some(({ purpose }) => purpose === 'maskable'));
    for (const { src, sizes } of icons) {
      const size = await page.evaluate<string>(`
        new Promise((resolve, reject) => {
          const image = Object.assign(new Image(), { src: ${JSON.stringify(src)}, onerror: reject });
          image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight);
        })`);
      if (sizes !== 'any') assert.equal(size, sizes, src);
    }
    const worker = await fetch(`${state.cloud_url}/service-worker.js`);
    assert.match(worker.headers.get('content-type')!, /^text\/javascript/);
    assert.equal(worker.headers.get('cache-control'), 'no-cache');
    assert.equal((await fetch(`${state.gateway_url}/service-worker.js`)).status, 404);
    assert.equal((await fetch(`${state.gateway_url}/gateway.webmanifest`)).status, 200);
  });

  await t.test('Home on a phone is light, and stays where it is while it loads', async () => {
    await using visitor = await visits.visit({ baseURL: state.cloud_url, viewport: phone });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    await page.addInitScript(observeShift);
    const carbon = Promise.withResolvers<void>();
    await page.route(/\/sites\/[^/]+\/carbon/, async (route) => {
      await carbon.promise; // the last to arrive
      await route.fulfill({ json: carbonOf(state.site_id) });
    });
    await page.reload();
    await page.locator('.node.house .watts', { hasText: /\d/ }).waitFor();
    const kilobytes = await scriptKilobytes(page);
    assert.ok(kilobytes > 10 && kilobytes <= mostKilobytes, `${kilobytes} KB of JavaScript`);
    await page.locator('.hours li').first().waitFor();
    await page.locator('.phase').first().waitFor();
    await link(card(page, 'Cost this month'), /^Bill of/).waitFor();
    const above = ['Power flow', 'Electricity price', 'Phases and main fuse'];
    const places = () => Promise.all(above.map(async (name) => (await card(page, name).boundingBox())!.y));
    const before = await places();
    carbon.resolve();
    await page.getByText('CO₂ of imported electricity').waitFor();
    assert.deepEqual(await places(), before);
    const shift = await page.evaluate<number>('shift');
    assert.ok(shift < mostShift, `a layout shift of ${shift}`);
  });

  await t.test('the other pages on a phone stay where they are, too, while slow answers arrive', async () => {
    await using visitor = await visits.visit({ baseURL: state.cloud_url, viewport: phone });
    const { page } = visitor;
    await page.goto('/');
    await button(page, 'Open the demo home').click();
    await heading(page, 'Simulated home').waitFor();
    await page.addInitScript(observeShift);
    let pending = 0;
    await page.route(isData, async (route) => {
      pending++;
      await setTimeout(slowMs);
      await route.continue().catch(() => {}); // the page has been left
      pending--;
    });
    const home = `/app/sites/${state.site_id}`;
    const ofHome = ['/history', '/history?view=device', '/bill', '/prices', '/control', '/devices', '/alerts'];
    for (const path of [...ofHome.map((end) => home + end), '/app/settings', '/app/setup', '/app/map']) {
      await goSettled(page, path);
      await until(
        async () => pending + (await page.locator('main .loading').count()),
        (left) => left === 0,
      );
      const [shift, lang, viewport] = await page.evaluate<[number, string, string]>(
        "[shift, document.documentElement.lang, document.querySelector('meta[name=viewport]').content]",
      );
      assert.ok(shift < mostShift, `a layout shift of ${shift} on ${path}`);
      assert.deepEqual([lang, viewport], ['en', 'width=device-width, initial-scale=1']);
    }
  });

  await t.test('without the platform it shows the last values and their time, and continues by itself', async () => {
    const proxy = await openCutProxy(t, state.cloud_url);
    await using visitor = await visits.visit({ ...own, baseURL: proxy.url });
    const { page } = visitor;
    await openHome(page);
    let loads = 0;
    page.on('load', () => (loads += 1));
    proxy.cut();
    await page.reload();
    await page.getByText(/^Offline\. Last values from \d\d:\d\d\.$/).waitFor();
    await heading(page, 'Simulated home').waitFor();
    assert.match((await page.locator('.node.house .watts').textContent())!, /\d/);
    await takePicture(page, 'offline');
    await page.goto('/app/settings');
    await page.getByText(/^Offline\. Last values/).waitFor();
    await page.goto(`/app/sites/${state.site_id}`);
    await page.getByText(/^Offline\. Last values/).waitFor();
    loads = 0;
    proxy.mend();
    await button(page, 'Retry now').click();
    await page.getByText('Live', { exact: true }).waitFor();
    assert.equal(await page.getByText(/^Offline/).count(), 0);

    proxy.cut();
    await page.getByText(/^Connection lost/).waitFor();
    proxy.mend();
    await page.getByText(/^Connection lost/).waitFor({ state: 'detached' });
    assert.equal(loads, 0, 'the page was not reloaded');
  });

  await t.test('after signing out, nothing of the person is left', async () => {
    await using visitor = await visits.visit(own);
    const { page } = visitor;
    await openHome(page);
    const kept = (): Promise<string> =>
      page.evaluate<string>(`(async () => {
        const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys()) texts.push(request.url, await (await cache.match(request)).text());
        }
        return texts.join();
      })()`);
    await until(kept, (text) => text.includes(state.site_id));
    await page.goto('/app/settings');
    await button(page, 'Leave the demo').click();
    await button(page, 'Leave the demo').waitFor({ state: 'detached' });
    const left = await kept();
    for (const secret of [state.site_id, state.org_id, 'Simulated home']) assert.ok(!left.includes(secret), secret);
    assert.ok(left.includes('/assets/'), 'the pages themselves stay');
  });

  await t.test('a push message is shown, and a click on it opens a page of the platform only', async () => {
    await using visitor = await visits.visit(own);
    const { page, context } = visitor;
    await openHome(page);
    const [worker] = context.serviceWorkers();
    // A browser without a window shows no notifications, so this notes what the worker asks for.
    const [shown, opened] = await worker!.evaluate<[unknown[], string[]]>(`(async () => {
      const [shown, opened, work] = [[], [], []];
      registration.showNotification = async (title, { body, tag, data }) => shown.push({ title, body, tag, data });
      clients.matchAll = async () => [];
      clients.openWindow = async (url) => opened.push(new URL(url).pathname + (new URL(url).origin === location.origin));
      const dispatch = (name, more) =>
        dispatchEvent(Object.assign(new Event(name), { waitUntil: (each) => work.push(each) }, more));
      const message = { title: 'Gateway silent', body: 'Home', url: '/app/gateways', tag: 'gateway' };
      dispatch('push', { data: { json: () => message } });
      for (const data of ['/app/gateways', 'https://example.org/app/gateways', ''])
        dispatch('notificationclick', { notification: { data, close() {} } });
      await Promise.all(work);
      return [shown, opened];
    })()`);
    assert.deepEqual(shown, [{ title: 'Gateway silent', body: 'Home', tag: 'gateway', data: '/app/gateways' }]);
    assert.deepEqual(opened, ['/app/gatewaystrue', '/true', '/true']);
  });
});
