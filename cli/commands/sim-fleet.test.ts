import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { freePort } from '#test/free-port.ts';
import { spawnCli } from '../testing/child-process.ts';
import { acknowledged, factsOf } from '../testing/fleet-ledger.ts';
import { runInProcess } from '../testing/in-process.ts';
import { openPlatform, type Person } from '../testing/people.ts';
import type { FleetResult } from './sim-fleet.ts';

suite('ohmstead sim fleet', () => {
  let platform: Awaited<ReturnType<typeof openPlatform>>;
  let ada: Person;
  let where: string[];

  before(async () => {
    platform = await openPlatform({ RATE_CLAIM: '30' });
    ada = await platform.person();
    where = ['--url', platform.url, '--mqtt', platform.mqttUrl];
  });
  after(() => platform.close());

  const play = (...args: string[]): Promise<FleetResult> => ada.result('sim', 'fleet', ...where, ...args);
  const claimed = async (): Promise<number> => (await ada.result<object[]>('gateway', 'list')).length;

  test('claims its gateways once, and finds every reading in the history', async () => {
    const ledger = join(platform.folder, 'ledger.jsonl');
    const args = ['--gateways', '4', '--devices', '2', '--rate', '100', '--minutes', '0.03'];
    const first = await play(...args, '--ledger', ledger);
    assert.ok(first.sent > 50, `${first.sent} were sent`);
    assert.deepEqual(first, { ...first, acknowledged: first.sent, stored: first.sent, lost: 0, twice: 0, phantom: 0 });
    const facts = await factsOf(ledger);
    assert.equal(facts.length, 2 * first.sent);
    assert.equal(new Set(facts.map(({ der }) => der)).size, 8);
    assert.equal(await claimed(), 4);

    const second = await play(...args, '--drops', '600'); // and each connection is cut several times
    assert.deepEqual([second.stored, second.lost, second.twice, second.phantom], [second.sent, 0, 0, 0]);
    assert.equal(await claimed(), 4);
  });

  test('says that everything is simulated', async () => {
    const sites = await ada.result<{ name: string }[]>('site', 'list');
    const organizations = await ada.result<{ name: string }[]>('org', 'list');
    for (const { name } of [...sites, ...organizations]) assert.match(name, /^Simulated/);
  });

  test('waits when the platform wants no more claims for a while', async () => {
    const { sent, stored } = await play('--gateways', '34', '--rate', '50', '--minutes', '0.01');
    assert.equal(stored, sent);
    assert.equal(await claimed(), 34);
  });

  test('ends early with Ctrl-C, and still checks', async (t) => {
    const ledger = join(platform.folder, 'early.jsonl');
    const args = ['sim', 'fleet', ...where, '--gateways', '2', '--rate', '50', '--ledger', ledger];
    const { child, outcome } = spawnCli(args, ada.env);
    t.after(() => child.kill('SIGKILL'));
    await acknowledged(ledger, 20);
    child.kill('SIGINT');
    const { code, out } = await outcome;
    assert.equal(code, 0);
    assert.match(out, /^lost\s+0$/m);
    assert.match(out, /Every acknowledged reading is in the history exactly once\./);
  });

  for (const { args, sentence } of [
    { args: ['--gateways', '0'], sentence: /--gateways must be a whole number from 1 to 100000\./ },
    { args: ['--rate', 'fast'], sentence: /--rate must be a number from 0\.01 to 100000\./ },
    { args: ['--mqtt', 'http://localhost'], sentence: /"http:\/\/localhost" is not a valid broker address/ },
  ]) {
    test(`${args.join(' ')} is refused with a sentence`, async () => {
      const { code, err } = await runInProcess(['sim', 'fleet', ...args], ada.env);
      assert.equal(code, 2);
      assert.match(err, sentence);
    });
  }

  test('an unreachable broker is reported', async () => {
    const mqttUrl = `mqtt://127.0.0.1:${await freePort()}`;
    const { code, err } = await ada.run('sim', 'fleet', '--url', platform.url, '--mqtt', mqttUrl);
    assert.deepEqual([code, err], [1, `Cannot reach a broker at ${mqttUrl}; give its address with --mqtt.\n`]);
  });
});
