import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { meterKey } from '#gateway/p1/testing/frames.ts';
import { testMeters } from '#gateway/p1/testing/meters.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { runInProcess } from '../testing/in-process.ts';

const folder = temporaryFolder({ after });

const bytesOf = (name: string): Buffer => testMeters.find((meter) => meter.name === name)!.bytes;

type Told = { lines: Record<string, unknown>[]; code: unknown };

/** Runs the command on a file or standard input and returns its output and exit code. */
async function decode(path: string, stdin: string | Buffer = '', ...options: string[]): Promise<Told> {
  const { code, out } = await runInProcess(['decode', 'p1', path, ...options], {}, stdin);
  const lines = out.trimEnd().split('\n');
  return { lines: lines.map((line) => JSON.parse(line)), code };
}

test('each frame of a file is a line of JSON, those that failed too', async () => {
  const path = join(folder, 'telegrams.txt');
  writeFileSync(path, Buffer.concat([bytesOf('LU').subarray(0, 60), bytesOf('LU')]));
  const { lines, code } = await decode(path);
  assert.deepEqual(lines[0], { format: 'ascii', ok: false, reason: 'truncated by the next telegram' });
  const { obis, ...told } = lines[1]!;
  assert.deepEqual(told, {
    format: 'ascii',
    ok: true,
    device_id: 'SAG5\\253000002_A',
    equipment_id: 'SAG1031234567',
    meter_time: '240305143010W',
    meter: { W: 640, total_import_Wh: 4_271_003, total_export_Wh: 215 },
  });
  assert.equal((obis as string[]).length, 8);
  assert.equal(code, 0);
});

test('hex is read with white space in it, from the standard input', async () => {
  const stdin = bytesOf('Kaifa list 1')
    .toString('hex')
    .replace(/(.{32})/g, '$1\r\n')
    .toUpperCase();
  const { lines } = await decode('-', stdin);
  assert.deepEqual(lines[0]!.meter, { W: 5852 });
});

test('DLMS without a frame is read', async () => {
  const { lines } = await decode('-', bytesOf('CZ without a frame').toString('hex'));
  assert.deepEqual(
    lines.map(({ device_id }) => device_id),
    ['EGD000022'],
  );
});

test('a telegram whose line ends an editor has changed is read', async () => {
  const { lines } = await decode('-', bytesOf('SE').toString('latin1').replaceAll('\r\n', '\n'));
  assert.equal(lines[0]!.ok, true);
});

test('an encrypted message needs its key', async () => {
  const stdin = bytesOf('AT encrypted in two parts');
  const without = await decode('-', stdin);
  assert.deepEqual(without, {
    lines: [{ format: 'mbus', ok: false, reason: 'encrypted, and no key is configured' }],
    code: 1,
  });
  const { lines } = await decode('-', stdin, '--key', meterKey.toString('hex'));
  assert.equal(lines[0]!.unverified, true);
});

test('nothing found is said, with exit code 1', async () => {
  assert.deepEqual(await decode('-', 'hello'), {
    lines: [{ ok: false, reason: 'no frame found' }],
    code: 1,
  });
  assert.deepEqual(await decode('-'), { lines: [{ ok: false, reason: 'no frame found' }], code: 1 });
});

for (const option of ['--key=abc', `--auth-key=${'x'.repeat(32)}`]) {
  test(`${option} is a mistake of usage`, async () => {
    const { code, err } = await runInProcess(['decode', 'p1', '-', option]);
    assert.match(err, /must be 32 hex digits/);
    assert.equal(code, 2);
  });
}
