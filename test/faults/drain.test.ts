import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { spawnCli } from '../../cli/testing/child-process.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';
import { startPlatform } from './platform.ts';

const mostMs = 10_000;
const askers = 8;

/** A program on its own port, and its outcome. */
async function start(t: TestContext, name: string, env: Record<string, string>) {
  const { child, outcome } = spawnCli([name], { LOG_LEVEL: 'info', ...env });
  t.after(() => child.kill('SIGKILL'));
  const { port, url } = JSON.parse(await saidBy(child, 'started"')) as { port?: number; url?: string };
  child.stdout!.resume();
  return {
    port: port ?? Number(new URL(url!).port),
    async stop(): Promise<{ code: number | null; tookMs: number; err: string }> {
      const began = performance.now();
      child.kill('SIGTERM');
      const { code, err } = await outcome;
      return { code, err, tookMs: performance.now() - began };
    },
  };
}

async function saidBy(child: ChildProcess, words: string): Promise<string> {
  for await (const line of createInterface(child.stdout!)) if (line.includes(words)) return line;
  throw new Error(`It ended without "${words}".`);
}

/** Sends requests from many clients until nobody answers; returns the statuses. */
function askContinually(url: string): { statuses: Map<number, number>; ended: Promise<void> } {
  const statuses = new Map<number, number>();
  const asker = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(url).catch(() => undefined);
      if (!answer) return;
      await answer.text().catch(() => ''); // cut off
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  };
  return { statuses, ended: Promise.all(Array.from({ length: askers }, asker)).then(() => {}) };
}

suite('a busy program that is asked to stop', { concurrency: 3 }, () => {
  test('the platform stops in time, ends its streams, and has stored everything it acknowledged', async (t) => {
    const folder = temporaryFolder(t);
    const [cloudPort, mqttPort] = [await freePort(), await freePort()];
    const env = {
      DATA_DIR: folder,
      CLOUD_PORT: String(cloudPort),
      MQTT_PORT: String(mqttPort),
      DRAIN_SECONDS: '1',
    };
    const url = `http://127.0.0.1:${cloudPort}`;
    const { stop } = await start(t, 'cloud', env);
    const fleet = await enrolFleet(url, 3);
    const api = createClient({ baseUrl: url, token: fleet.token });
    const { site_id } = await api.call(getDer, { params: { der_id: fleet.gateways[0]!.der } });
    const viewer = await readEvents(`${url}/stream/sites/${site_id}`, { authorization: `Bearer ${fleet.token}` });
    const ledger = createLedger();
    const stopReporting = reportContinually(() => `mqtt://127.0.0.1:${mqttPort}`, fleet, ledger);
    t.after(stopReporting);
    const asking = askContinually(`${url}/public/cells`);
    await until(() => ledger.acknowledged() >= 200);

    const stopping = stop();
    const unready = await until(
      () => fetch(`${url}/ready`),
      ({ status }) => status !== 200,
    );
    assert.deepEqual(await unready.json(), { status: 'unavailable', reasons: ['The process is stopping.'] });
    assert.equal(viewer.isEnded(), false);
    const { code, err, tookMs } = await stopping;
    assert.deepEqual([code, err], [0, '']);
    assert.ok(tookMs > 500 && tookMs < mostMs, `ended after ${tookMs} ms`);
    await viewer.ended();
    assert.ok(viewer.isEnded());
    await asking.ended;
    assert.deepEqual(
      [...asking.statuses.keys()].filter((status) => status !== 200 && status !== 503),
      [],
    );
    const again = await startPlatform(env);
    t.after(() => again.kill());
    await stopReporting();
    const verdict = await checkLedger(createClient({ baseUrl: again.url, token: fleet.token }), ledger);
    console.log('the platform was asked to stop', verdict, `${Math.round(tookMs)} ms`);
    assert.ok(verdict.acknowledged >= 200 && isClean(verdict));
    await again.kill();
  });

  const others: { name: string; env: Record<string, string>; path: string }[] = [
    { name: 'gateway', env: { GATEWAY_HOST: '127.0.0.1', MDNS: 'off' }, path: '/api/status' },
    { name: 'price', env: {}, path: '/health' },
  ];
  for (const { name, env, path } of others) {
    test(`${name} stops in time`, async (t) => {
      const folders = { GATEWAY_DATA_DIR: temporaryFolder(t), PRICE_DATA_DIR: temporaryFolder(t) };
      const ports = { GATEWAY_PORT: '0', PRICE_PORT: '0' };
      const { port, stop } = await start(t, name, { ...folders, ...ports, ...env });
      const asking = askContinually(`http://127.0.0.1:${port}${path}`);
      await until(() => (asking.statuses.get(200) ?? 0) >= 20);
      const { code, err, tookMs } = await stop();
      await asking.ended;
      console.log(`${name} was asked to stop`, asking.statuses, `${Math.round(tookMs)} ms`);
      assert.deepEqual([code, err], [0, '']);
      assert.ok(tookMs < mostMs, `ended after ${tookMs} ms`);
      assert.ok(asking.statuses.get(200)! > 10, 'it was busy');
      assert.deepEqual(
        [...asking.statuses.keys()].filter((status) => status !== 200 && status !== 503),
        [],
      );
    });
  }
});
