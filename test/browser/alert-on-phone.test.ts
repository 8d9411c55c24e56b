import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { openAlerting, setPresence } from '#cloud/alerts/testing/alert-home.ts';
import { createBrowser, openReceiver } from '#cloud/alerts/testing/receivers.ts';
import { sweepMs } from '#cloud/alerts/watch.ts';
import { minuteMs } from '#contract/time.ts';
import { arePagesOld, buildPages } from '../../cli/server/build-pages.ts';
import { openCloud } from '../cloud/open-cloud.ts';
import { until } from '../until.ts';
import { button, heading, link } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { standInForPush } from './push-stand-in.ts';
import { enterWithKeyFile } from './signed-in.ts';
import { openVisits, phone } from './visits.ts';

const mostMs = 3 * minuteMs;
const outboxMs = 2000; // at most until the outbox looks for what is to be sent

test('a silent gateway is on the phone within three minutes', {
  skip: chromiumMissing,
  timeout: 200_000,
}, async (t) => {
  await buildPages(console, arePagesOld);
  const cloud = await openCloud({ env: { ALERTS_PRIVATE_NETWORKS: 'true' } });
  t.after(() => cloud.close());
  cloud.clock.set(Date.now());
  await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  const pushService = await openReceiver();
  t.after(() => pushService.close());
  const { owner } = await cloud.home({ place: { timezone: 'Europe/Stockholm' } });
  await setPresence(cloud, 'gateways', true);

  const baseURL = `http://localhost:${(cloud.app.server.address() as AddressInfo).port}`;
  const visits = await openVisits(t);
  await using visitor = await visits.visit({
    baseURL,
    viewport: phone,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  });
  const { page, context } = visitor;
  const browser = createBrowser(`${pushService.url}/push`);
  await standInForPush(context, browser.subscription);
  await page.goto('/app/sites');
  const pem = String(owner.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await enterWithKeyFile(page, { name: 'key.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(pem) });
  await link(page, 'House').click();
  await heading(page, 'House').waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => 0)');

  // From here on clicks are counted: three, and the question of the browser.
  await link(page, 'Settings').click();
  await link(page, 'Alerts').click();
  await button(page, 'Notify this browser').click();
  await page.getByText('this browser', { exact: true }).waitFor();
  assert.ok(await page.getByLabel('Send me the alerts of this site').isChecked());
  await takePicture(page, 'alerts-phone');

  const alerting = openAlerting(cloud);
  await alerting.turn();
  cloud.clock.advance(1); // the worst time: just after the rules were checked
  await setPresence(cloud, 'gateways', false);
  const stoppedAt = cloud.clock.now();
  cloud.clock.advance(sweepMs - 1);
  await alerting.turn();
  while (pushService.received.length === 0 && cloud.clock.now() < stoppedAt + mostMs) await alerting.pass(0.5);
  const seconds = (cloud.clock.now() - stoppedAt) / 1000;
  t.diagnostic(`raised ${Math.round(seconds)} s after the gateway stopped`);
  assert.equal(pushService.received.length, 1);
  assert.ok(seconds * 1000 + outboxMs <= mostMs);

  const [worker] = context.serviceWorkers();
  // A browser without a window shows no notifications, so this notes what the worker asks for.
  await worker!.evaluate(
    'registration.showNotification = async (title, { body, data }) => (globalThis.shown = [title, body, data])',
  );
  const wires = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    wires.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await wires.send('ServiceWorker.enable');
  const message = JSON.stringify(browser.decrypt(pushService.received[0]!));
  await wires.send('ServiceWorker.deliverPushMessage', {
    origin: baseURL,
    registrationId: await registered,
    data: message,
  });
  const shown = await until(
    () => worker!.evaluate<string[] | undefined>('globalThis.shown'),
    (found) => found !== undefined,
  );
  assert.equal(shown?.[0], 'House: The gateway is silent');
  assert.match(shown?.[1] ?? '', /No contact since/);
});
