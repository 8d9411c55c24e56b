import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { readingAt } from '#gateway/uplink/outbox/testing/trial.ts';
import { createLog } from '#lib/log.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { openBareUplink } from './bare-uplink.ts';
import { enrolFleet } from './fleet.ts';
import { startPlatform } from './platform.ts';
import { timeSamples } from './timed-samples.ts';

const log = createLog({ level: 'silent', name: 'test' });
const away = 3000; // seconds, with a sample each
const liveEveryMs = 100;
const asFast = 7 * 24; // a week in an hour

test('a backlog is delivered 168 times as fast as it accumulated, and live samples within two seconds', async (t) => {
  const platform = await startPlatform({ DATA_DIR: temporaryFolder(t), CLOUD_PORT: '0', MQTT_PORT: '0' });
  const fleet = await enrolFleet(platform.url, 1);
  const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
  const folder = temporaryFolder(t);
  const { watched, tookMs, take: began } = timeSamples();
  const { outbox, uplink } = await openBareUplink({ gateway: signer, folder, watched, log });
  t.after(async () => {
    await uplink.close(); // which closes its connection
    await platform.kill();
  });
  const ledger = createLedger();
  const take = (at: number): void => {
    ledger.intend({ der, at });
    outbox.add('M1/grid', { ...readingAt(at), type: 'meter' });
  };
  const isBack = Date.now();
  for (let second = away; second > 0; second--) take(isBack - second * 1000);
  await until(() => outbox.counts().waiting === away && outbox.counts().unwritten === 0);

  uplink.setBrokers(platform.mqttUrl);
  const start = performance.now();
  uplink.start();
  await until(() => uplink.isConnected());
  let now = isBack;
  const measuring = setInterval(() => {
    now = Math.max(now + 1, Date.now());
    began(now);
    take(now);
  }, liveEveryMs);
  t.after(() => clearInterval(measuring));
  await until(() => (outbox.counts().oldest ?? Date.now()) >= isBack, Boolean, (1000 * away) / asFast);
  const drainedMs = performance.now() - start;
  clearInterval(measuring);
  await until(() => outbox.counts().waiting === 0);

  const slowestMs = Math.max(...tookMs);
  console.log(
    `${away} samples in ${Math.round(drainedMs)} ms; the slowest of ${tookMs.length} live ones took ${Math.round(slowestMs)} ms`,
  );
  assert.ok(slowestMs < 2000);
  const verdict = await checkLedger(createClient({ baseUrl: platform.url, token: fleet.token }), ledger);
  assert.ok(isClean(verdict), JSON.stringify(verdict));
  assert.equal(verdict.stored, away + tookMs.length);
});
