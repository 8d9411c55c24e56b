import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { until } from '../until.ts';
import { withRegisters } from './register-inverter.ts';

const registers = withRegisters();
const base = `/api/devices/${registers.sn}`;
const read = (what: string) => registers.call('GET', `${base}/registers/${what}`);

suite('registers are read', () => {
  for (const [what, value, type, registers] of [
    ['20000', 0x1234, 'u16', 1],
    ['20002?type=i16', 0x9abc - 0x1_0000, 'i16', 1],
    ['20000?type=u32', 0x5678_1234, 'u32', 2],
    ['20000?type=u32&endianness=little', 0x5678_1234, 'u32', 2],
    ['20000?type=u32&endianness=big', 0x1234_5678, 'u32', 2],
    ['20002?type=i32', 0xdef0_9abc - 2 ** 32, 'i32', 2],
    ['20002?type=i32&endianness=big', 0x9abc_def0 - 2 ** 32, 'i32', 2],
    ['20004?type=f32&endianness=big', 230.5, 'f32', 2],
    ['20006?type=f32', 230.5, 'f32', 2],
    ['20012?type=f32&endianness=big', 'NaN', 'f32', 2],
    ['20008?type=u64&endianness=big', 42, 'u64', 4],
    ['20008?type=i64&endianness=big&scale_factor=0.5', 21, 'i64', 4],
    ['20000?type=u64', String(0xdef0_9abc_5678_1234n), 'u64', 4],
    ['20000?type=u64&endianness=big', String(0x1234_5678_9abc_def0n), 'u64', 4],
    ['20000?type=i64', String(BigInt.asIntN(64, 0xdef0_9abc_5678_1234n)), 'i64', 4],
    ['20000?scale_factor=0.1', 466, 'u16', 1],
    ['20002?type=i16&scale_factor=-0.01', 259.24, 'i16', 1],
    ['20000?type=u16&size=3', 0x1234, 'u16', 3],
    ['20020?type=str&size=4', 'Ohm 1', 'str', 4],
    ['20020?type=str&size=1', 'Oh', 'str', 1],
    ['20000?function_code=3', 7, 'u16', 1],
    ['20000?function_code=4', 0x1234, 'u16', 1],
  ] as const) {
    test(what, async () => {
      const answer = await read(what);
      assert.deepEqual(answer.body, { address: Number(what.slice(0, 5)), value, type, registers });
    });
  }

  test('as a list in hex when only a size is given', async () => {
    const { body } = await read('20000?size=4');
    assert.deepEqual(body, { address: 20_000, count: 4, values: ['0x1234', '0x5678', '0x9ABC', '0xDEF0'] });
  });

  for (const [what, status] of [
    ['20000?size=0', 400],
    ['20000?size=126', 400],
    ['20000?size=1.5', 400],
    ['20000?type=u32&size=1', 400],
    ['20000?type=u128', 400],
    ['20000?type=str', 400],
    ['20000?endianness=middle', 400],
    ['20000?function_code=1', 400],
    ['20000?scale_factor=x', 400],
    ['20000?scale_factor=1e999', 400],
    ['65536', 400],
    ['-1', 400],
    ['x', 400],
    ['65535?size=2', 400],
    ['65534?type=u64', 400],
    ['65535', 500], // the device does not have it
    ['20000?size=125', 500],
  ] as const) {
    test(`${what} is answered ${status}`, async () => {
      const answer = await read(what);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.deepEqual(Object.keys(answer.body), ['status', 'error', 'message']);
    });
  }
});

suite('registers there are only', () => {
  const asked = [
    ['GET', '/registers/10', undefined],
    ['POST', '/registers/10', { value: 1 }],
    ['POST', '/registers', { registers: { 10: 1 } }],
    ['POST', '/registers', { 10: 1 }],
    ['POST', '/write', { addr: 10, value: 1 }],
  ] as const;

  let street: Street;
  before(async () => {
    street = await startStreet({ portBase: 0, only: ['p1-dsmr5'], house: fixedHouse() });
    await registers.call('POST', '/api/devices', street.players[0]!.connection);
  });
  after(() => street.close());

  for (const [method, path, body] of asked) {
    test(`of devices that are here: ${method} ${path}`, async () => {
      assert.equal((await registers.call(method, `/api/devices/nobody${path}`, body)).status, 404);
      assert.equal((await registers.call(method, `/api/devices/p1_meter${path}`, body)).status, 400);
    });
  }

  test('of devices that are connected', async () => {
    await registers.unplug();
    const isConnected = async () => (await registers.call('GET', '/api/devices')).body.devices[0].connected as boolean;
    await until(isConnected, (connected) => !connected);
    for (const [method, path, body] of asked) {
      const { status } = await registers.call(method, base + path, body);
      assert.equal(status, 503, path);
    }
    assert.equal((await read('20000?type=u128')).status, 400); // the form of the request comes first
  });
});
