import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '#contract/gateway/status.ts';
import { createMetrics } from '#lib/metrics.ts';
import { openLocal } from '#test/gateway/open-local.ts';
import { until } from '#test/until.ts';
import { type OperationsDeps, operationsRoutes } from './operations.ts';
import { readingsFrom } from './uplink/outbox/testing/trial.ts';
import { openTrialUplink, startBroker } from './uplink/testing/trial.ts';

const calm: Status['uplink'] = { connected: true, waiting: 0, bytes: 0, dropped: {}, thinned: 0 };

/** Returns the metrics of an idle gateway with the changes of the test, as name and value. */
function openPage(changes: Partial<OperationsDeps> = {}) {
  const { mount, call, clock } = openLocal();
  operationsRoutes(mount, {
    registry: createMetrics().registry,
    version: 'test',
    devices: { list: () => [] },
    buses: { counters: () => new Map() },
    uplink: () => calm,
    control: () => [],
    clock,
    ...changes,
  });
  const read = async (): Promise<Record<string, number>> => {
    const { body } = await call('GET /metrics');
    const samples = [...(body as string).matchAll(/^(gateway_\S+) (\S+)$/gm)];
    return Object.fromEntries(samples.map(([, name, value]) => [name!, Number(value)]));
  };
  return { read, clock };
}

test('samples waiting for an unreachable platform are reported with their age until it has them', async (t) => {
  const { uplink } = await openTrialUplink(t);
  const broker = await startBroker();
  const { read, clock } = openPage({ uplink: uplink.status });
  try {
    for (const reading of readingsFrom(clock.now() - 7_200_000, 3)) uplink.take('INV-1', 'pv', reading);
    await until(() => uplink.status().bytes > 0);
    const away = await read();
    assert.equal(away.gateway_uplink_connected, 0);
    assert.equal(away.gateway_outbox_samples, 3);
    assert.equal(away.gateway_outbox_bytes, uplink.status().bytes);
    assert.notEqual(away.gateway_outbox_bytes, 0);
    assert.equal(away.gateway_outbox_oldest_seconds, 7200);
    clock.advance(60_000);
    assert.equal((await read()).gateway_outbox_oldest_seconds, 7260);

    uplink.setBrokers(broker.url);
    uplink.start();
    await until(() => uplink.status().waiting === 0);
    const there = await read();
    assert.equal(there.gateway_uplink_connected, 1);
    assert.equal(there.gateway_outbox_samples, 0);
    assert.equal(there.gateway_outbox_oldest_seconds, 0);
  } finally {
    await uplink.close();
    await broker.close();
  }
});

test('setting the clock back gives no negative age', async () => {
  const { read } = openPage({ uplink: () => ({ ...calm, oldest: Date.parse('2026-06-02T12:00:00Z') }) });
  assert.equal((await read()).gateway_outbox_oldest_seconds, 0);
});

test('dropped and thinned samples are counted once, however often the metrics are read', async () => {
  const { read } = openPage({ uplink: () => ({ ...calm, dropped: { too_old: 5 }, thinned: 7 }) });
  await read();
  const page = await read();
  assert.equal(page['gateway_outbox_dropped_total{reason="too_old"}'], 5);
  assert.equal(page['gateway_outbox_dropped_total{reason="disk_full"}'], 0);
  assert.equal(page.gateway_outbox_thinned_total, 7);
});

test('each held setpoint is one lease, and a released device has none', async () => {
  const held = (subject: string) => ({ subject, power_w: 1000, origin: 'local', ends_in_s: 30 });
  const { read } = openPage({
    control: () => [
      { sn: 'INV-1', state: 'held', held: [held('battery'), held('pv')] },
      { sn: 'INV-2', state: 'held', held: [held('battery'), held('pv')] },
      { sn: 'INV-3', state: 'releasing', held: [] },
    ],
  });
  assert.equal((await read()).gateway_control_leases, 4);
});

test('every metric exists from the first request', async () => {
  assert.deepEqual(Object.keys(await openPage().read()).sort(), [
    'gateway_control_leases',
    'gateway_devices{connected="false"}',
    'gateway_devices{connected="true"}',
    'gateway_outbox_bytes',
    'gateway_outbox_dropped_total{reason="damaged"}',
    'gateway_outbox_dropped_total{reason="disk_full"}',
    'gateway_outbox_dropped_total{reason="no_number"}',
    'gateway_outbox_dropped_total{reason="outbox_full"}',
    'gateway_outbox_dropped_total{reason="too_old"}',
    'gateway_outbox_dropped_total{reason="undatable"}',
    'gateway_outbox_dropped_total{reason="unwritten"}',
    'gateway_outbox_oldest_seconds',
    'gateway_outbox_samples',
    'gateway_outbox_thinned_total',
    'gateway_uplink_connected',
  ]);
});
