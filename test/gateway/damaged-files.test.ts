import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { openGateway } from './open-gateway.ts';

test('files of devices that are damaged are set aside and reported, and the rest is there', async (t) => {
  const street = await startStreet({ portBase: 0, only: ['sungrow'], house: fixedHouse() });
  t.after(() => street.close());
  const gateway = await openGateway();
  t.after(() => gateway.close());
  await gateway.call('POST', '/api/devices', street.players[0]!.connection);
  const folder = join(gateway.folder, 'devices');
  const good = join(folder, readdirSync(folder)[0]!);
  const bytes = readFileSync(good);

  const damaged = [...bytes.keys()].flatMap((at) => {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << (at % 8);
    // A file cut after its last brace is still complete.
    return at < bytes.length - 1 ? [flipped, bytes.subarray(0, at)] : [flipped];
  });
  for (const [index, content] of damaged.entries()) {
    writeFileSync(join(folder, `${index.toString(16).padStart(16, '0')}.json`), content);
  }
  writeFileSync(`${good}.tmp`, bytes.subarray(0, 100));
  await gateway.restart();
  const { body } = await gateway.call('GET', '/api/devices');
  assert.deepEqual([body.count, body.devices[0].sn], [1, 'SIMSUNGROW0001']);
  const files = readdirSync(folder);
  assert.equal(files.filter((name) => name.includes('.json.damaged-')).length, damaged.length);
  assert.equal(files.length, damaged.length + 1);
  const reports = gateway.lines.filter((line) => line.includes('damaged and set aside'));
  assert.equal(reports.length, damaged.length);

  await gateway.call('DELETE', '/api/devices');
  assert.deepEqual(readdirSync(folder), []); // what was set aside may hold passwords
  console.log(`${damaged.length} damaged files set aside`);
});
