import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { type Platform, startPlatform } from '#test/faults/platform.ts';
import { freePort } from '#test/free-port.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { spawnCli } from '../testing/child-process.ts';
import { acknowledged } from '../testing/fleet-ledger.ts';
import type { FleetResult } from './sim-fleet.ts';

/** A fleet reports, and meanwhile the platform is killed and started again. */
async function killMeanwhile(t: TestContext, planted: Record<string, string> = {}) {
  const folder = temporaryFolder(t);
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const env = {
    DATA_DIR: join(folder, 'data'),
    CLOUD_PORT: String(cloudPort),
    MQTT_PORT: String(mqttPort),
    ...planted,
  };
  let platform: Platform = await startPlatform(env);
  const ledger = join(folder, 'ledger.jsonl');
  const where = ['--url', platform.url, '--mqtt', platform.mqttUrl!];
  const size = ['--gateways', '5', '--rate', '300', '--ledger', ledger, '--json'];
  const { child, outcome } = spawnCli(['sim', 'fleet', ...where, ...size], { OHMSTEAD_CONFIG_DIR: folder });
  t.after(async () => {
    child.kill('SIGKILL');
    await platform.kill();
  });
  await acknowledged(ledger, 300);
  await platform.kill();
  platform = await startPlatform(env);
  await acknowledged(ledger, 600);
  child.kill('SIGINT');
  const { code, out, err } = await outcome;
  assert.equal(err, '');
  return { code, found: JSON.parse(out) as FleetResult };
}

suite('a fleet whose platform is killed', () => {
  test('connects again, sends again, and loses nothing', async (t) => {
    const { code, found } = await killMeanwhile(t);
    assert.deepEqual([code, found.lost, found.twice, found.phantom, found.stored], [0, 0, 0, 0, found.sent]);
  });

  test('notices when the platform had acknowledged what it did not store', async (t) => {
    const { code, found } = await killMeanwhile(t, { PLANTED: 'early-ack' });
    assert.equal(code, 1);
    assert.ok(found.lost > 0, 'the planted bug must be seen');
  });
});
