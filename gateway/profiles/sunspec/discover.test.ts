import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../../decode-modbus.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { imageOf, text } from '../testing/encode.ts';
import { chain, common, model } from '../testing/sunspec-words.ts';
import { discover } from './discover.ts';

const idsOf = async (read: ReadRegisters) => (await discover(read)).device?.models.map(({ id }) => id);

for (const table of ['holding', 'input'] as const) {
  for (const base of [40_000, 0, 50_000]) {
    test(`the chain is found at ${base} of the ${table} registers`, async () => {
      const words = chain(common(' ACME ', 'Box 1', 'sn 42'), model(64_999, 0, {}), model(103, 50, {}));
      const { device } = await discover(readFrom(imageOf({ [table]: { [base]: words } })));
      assert.deepEqual(
        { ...device, models: device?.models.map(({ id, address, length }) => [id, address - base, length]) },
        {
          manufacturer: 'ACME',
          model: 'Box 1',
          serial: 'sn42',
          models: [
            [1, 2, 66],
            [64_999, 70, 0],
            [103, 72, 50],
          ],
        },
      );
    });
  }
}

test('other content at the address of the mark is not a SunSpec device', async () => {
  const noise: ReadRegisters = async (_table, _address, count) => Array.from({ length: count }, () => 7);
  assert.deepEqual(await discover(noise), { isAnswered: true });
  assert.deepEqual(await discover(readFrom(imageOf({}))), { isAnswered: false });
});

test('an endless chain is read up to 100 models', async () => {
  let requests = 0;
  const endless: ReadRegisters = async (_table, address, count) => {
    requests += 1;
    return address === 40_000 ? text('SunS', 2) : Array.from({ length: count }, (_, index) => (index === 0 ? 9 : 0));
  };
  assert.equal((await idsOf(endless))?.length, 100);
  assert.equal(requests, 101);
});

test('a length beyond the address space ends the chain', async () => {
  const words = [...text('SunS', 2), ...common('ACME', 'Box', '1'), 103, 0xfff0];
  assert.deepEqual(await idsOf(readFrom(imageOf({ holding: { 40000: words } }))), [1]);
});

test('an interrupted chain keeps the models before', async () => {
  const words = [...text('SunS', 2), ...common('ACME', 'Box', '1')];
  assert.deepEqual(await idsOf(readFrom(imageOf({ holding: { 40000: words } }))), [1]);
});

test('a common model that is too short gives no names', async () => {
  const { device } = await discover(readFrom(imageOf({ holding: { 0: chain(model(1, 10, { 2: text('ACME', 4) })) } })));
  assert.deepEqual([device?.manufacturer, device?.serial], ['', undefined]);
});
