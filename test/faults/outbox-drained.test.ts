import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { timeOf } from '#gateway/uplink/outbox/line.ts';
import { type Outbox, openOutbox } from '#gateway/uplink/outbox/outbox.ts';
import { readingAt } from '#gateway/uplink/outbox/testing/trial.ts';
import { TrustedTime } from '#gateway/uplink/trusted-time.ts';
import { createUplink } from '#gateway/uplink/uplink.ts';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createLedger, isClean } from '#sim/fleet/ledger.ts';
import { checkLedger } from '#sim/fleet/stored.ts';
import { brokerToken } from '../cloud/gateway-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { enrolFleet } from './fleet.ts';
import { startPlatform } from './platform.ts';

const log = createLog({ level: 'silent', name: 'test' });
const away = 3000; // seconds, with a sample each
const liveEveryMs = 100;
const asFast = 7 * 24; // a week in an hour

/** The same, which notes when a sample was taken that is on its way, and how long those took that have arrived. */
function timed(outbox: Outbox) {
  const takenAt = new Map<number, number>(); // by its time, then by its number
  const tookMs: number[] = [];
  const watched: Outbox = {
    ...outbox,
    onReady: (listener) =>
      outbox.onReady((samples) => {
        for (const sample of samples) {
          const began = takenAt.get(timeOf(sample));
          takenAt.delete(timeOf(sample));
          if (began !== undefined) takenAt.set(sample.seq, began);
        }
        listener(samples);
      }),
    acknowledge(ranges) {
      for (const [first, last] of ranges) {
        for (const [seq, began] of takenAt) {
          if (seq < first || seq > last) continue;
          tookMs.push(performance.now() - began);
          takenAt.delete(seq);
        }
      }
      return outbox.acknowledge(ranges);
    },
  };
  return { watched, tookMs, began: (at: number) => takenAt.set(at, performance.now()) };
}

test('what waited while the platform was away is on it 168 times as fast as it came, and live samples within two seconds', async (t) => {
  const platform = await startPlatform({ DATA_DIR: temporaryFolder(t), CLOUD_PORT: '0', MQTT_PORT: '0' });
  const fleet = await enrolFleet(platform.url, 1);
  const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
  const time = new TrustedTime(systemClock, monotonicClock);
  const folder = temporaryFolder(t);
  const outbox = await openOutbox({ folder, time, monotonic: monotonicClock, boot: 'test', log });
  const { watched, tookMs, began } = timed(outbox);
  const uplink = createUplink(
    {
      serial: signer.serial,
      version: 'test',
      platform: 'test',
      dataDir: folder,
      boot: 'test',
      brokerToken: () => brokerToken(signer, Date.now()),
      devices: () => [],
      onCommand: () => {},
      clock: systemClock,
      monotonic: monotonicClock,
      log,
    },
    time,
    watched,
  );
  t.after(async () => {
    await uplink.close(); // which says goodbye to it
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
