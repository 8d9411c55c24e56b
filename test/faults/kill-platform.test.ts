import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLedger, type Verdict } from '#sim/fleet/ledger.ts';
import { freePort } from '../free-port.ts';
import { enrolFleet, reportContinually, storedOf } from './fleet.ts';
import { type Platform, startPlatform } from './platform.ts';

/** Kills the platform, with its broker, again and again while a fleet reports, and counts what is left. */
async function killUnderLoad(cycles: number, planted: Record<string, string> = {}): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'ohmstead-faults-'));
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const env = { DATA_DIR: folder, CLOUD_PORT: String(cloudPort), MQTT_PORT: String(mqttPort), ...planted };
  let platform: Platform = await startPlatform(env);
  let stop = async (): Promise<void> => {};
  try {
    const fleet = await enrolFleet(platform.url, 4);
    const ledger = createLedger();
    stop = reportContinually(() => `mqtt://127.0.0.1:${mqttPort}`, fleet, ledger);
    for (let cycle = 0; cycle < cycles; cycle++) {
      const before = ledger.acknowledged();
      while (ledger.acknowledged() === before) await sleep(10); // a kill before anything was acknowledged proves nothing
      await sleep(50 + Math.random() * 300);
      await platform.kill();
      platform = await startPlatform(env);
    }
    await stop();
    return ledger.check(await storedOf(platform.url, fleet));
  } finally {
    await stop();
    await platform.kill();
    await rm(folder, { recursive: true });
  }
}

test('a platform that is killed again and again keeps all it acknowledged, once', async () => {
  const verdict = await killUnderLoad(6);
  console.log('6 kills', verdict);
  assert.ok(verdict.acknowledged > 500, 'enough was tried');
  assert.deepEqual(
    { lost: verdict.lost, twice: verdict.twice, phantom: verdict.phantom },
    { lost: 0, twice: 0, phantom: 0 },
  );
});

test('the same check catches a platform that acknowledges before it stores', async () => {
  const verdict = await killUnderLoad(3, { PLANTED: 'early-ack' });
  console.log('3 kills with the planted bug', verdict);
  assert.ok(verdict.lost > 0, 'the planted bug must be seen');
});
