import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RtuFraming } from '#gateway/links/modbus/rtu-framing.ts';
import { TcpFraming } from '#gateway/links/modbus/tcp-framing.ts';
import { fuzzModbus } from './modbus.ts';
import { careless, forgetful } from './modbus-careless.ts';
import { planted } from './planted.ts';
import { fuzzTargets } from './targets.ts';

const cases = 1000;
const line = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 } as const;
const sound = { tcp: () => new TcpFraming(), rtu: () => new RtuFraming(line) };

suite('thousands of damaged inputs produce nothing wrong', () => {
  for (const { what, fuzz } of fuzzTargets) {
    test(what, async () => {
      const { frames, wrong, slowestMs } = await fuzz(7, cases);
      assert.deepEqual(wrong, []);
      assert.ok(frames > 20, `${frames} frames`);
      assert.ok(slowestMs < 1000, `${slowestMs} ms`);
    });
  }
});

suite('a bug that is planted in a reader is detected', () => {
  for (const { what } of fuzzTargets) {
    test(what, async () => {
      const { wrong } = await planted[what]!(7, cases);
      assert.ok(wrong.length > 0);
    });
  }
});

test('a serial line without a CRC check is detected', () => {
  const { wrong } = fuzzModbus(7, 2000, { ...sound, rtu: () => careless(new RtuFraming(line)) });
  assert.ok(wrong.some((fault) => fault.startsWith('rtu: accepted ')));
});

test('a TCP connection that accepts late answers is detected', () => {
  const { wrong } = fuzzModbus(7, 2000, { ...sound, tcp: () => forgetful(new TcpFraming()) });
  assert.ok(wrong.some((fault) => fault.startsWith('tcp: answers ')));
});

test('the command prints a table, and refuses an invalid number', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url)), ...args], { encoding: 'utf8' });
  const { status, stdout } = run('--cases', '140', '--seed', '5');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^what +cases +frames +wrong .*\nP1 +20 .*\nHDLC +20 .*\nM-Bus +20 .*\nModbus frames +10 /);
  assert.match(stdout, /\nXML +20 .*\nJWT +20 /);
  assert.equal(run('--cases', 'many').status, 2);
});
