import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ConnectionRequest } from '#sim/endpoints.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { freePort } from '../free-port.ts';
import { openGateway } from './open-gateway.ts';

const recognised: [player: string, profile: string, unit: number, confidence: string, serial: string][] = [
  ['sungrow', 'sungrow', 1, 'high', 'SIMSUNGROW0001'],
  ['huawei', 'huawei', 1, 'high', 'SIMHUAWEI0001'],
  ['solaredge', 'solaredge', 1, 'high', 'SIMSOLAREDGE1'],
  ['deye-hv', 'deye', 1, 'medium', 'SIMDEYE002'],
  ['sma', 'sma', 3, 'high', '990000001'],
  ['goodwe', 'goodwe', 247, 'high', 'SIMGOODWE0000001'],
  ['sunspec', 'sunspec', 1, 'medium', 'SIMSUNSPEC001'],
  ['sdm630', 'sdm630', 1, 'low', '99000001'],
  ['solis', 'solis', 1, 'medium', 'SIMSOLIS0001'],
  ['victron', 'victron', 100, 'medium', 'SIMVICTRON01'],
];

let street: Street;
before(async () => {
  street = await startStreet({ portBase: 0, house: fixedHouse({ pv_W: -2000, battery_W: 500 }) });
});
after(() => street.close());

const placeOf = (name: string): ConnectionRequest => street.players.find((player) => player.name === name)!.connection;

function opened() {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  before(async () => {
    gateway = await openGateway();
  });
  after(() => gateway.close());
  return (path: string, body: unknown) => gateway.call('POST', path, body);
}

suite('a device at an address is recognised', () => {
  const post = opened();
  for (const [player, profile, unit_id, confidence, serial] of recognised) {
    test(`${player} as ${profile}, unit ${unit_id}`, async () => {
      const { ip, port } = placeOf(player);
      const { status, body } = await post('/api/devices/detect', { ip, port });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.ip, body.port], [ip, port]);
      assert.partialDeepStrictEqual(body.candidates[0], { profile, unit_id, confidence, serial });
      assert.match(body.candidates[0].reason, /\w+ .*\.$/);
    });
  }
});

suite('an address is looked at', () => {
  const post = opened();
  test('for one unit when it is named', async () => {
    const { ip, port } = placeOf('fronius-meter');
    const { body } = await post('/api/devices/detect', { ip, port, unit_id: 200 });
    assert.partialDeepStrictEqual(body.candidates[0], { profile: 'fronius_smart_meter', unit_id: 200 });
  });

  test('and nothing is there', async () => {
    const { status, body } = await post('/api/devices/detect', { ip: '127.0.0.1', port: await freePort() });
    assert.deepEqual([status, body.error], [503, 'device_unreachable']);
  });

  test('and is a line that another device uses in its own way', async () => {
    await post('/api/devices', placeOf('sdm630-rtu'));
    const { hostname: ip, port } = new URL(String(placeOf('sdm630-rtu').serial_port));
    const detected = await post('/api/devices/detect', { ip, port: Number(port) });
    assert.deepEqual([detected.status, detected.body.error], [409, 'conflict']);
    const read = await post('/api/modbus/read', { ip, port: Number(port), unit_id: 1, register: 0 });
    assert.deepEqual([read.status, read.body.error], [502, 'upstream_failed']);
  });

  test('but not outside of the home network', async () => {
    assert.equal((await post('/api/devices/detect', { ip: '192.0.2.7' })).status, 400);
  });
});

suite('registers of any device are read', () => {
  const post = opened();
  const read = (name: string, changes: object) => {
    const { ip, port, unit_id } = placeOf(name);
    return post('/api/modbus/read', { ip, port, unit_id, ...changes });
  };

  test('input and holding, one and many', async () => {
    const { ip, port } = placeOf('sungrow');
    const input = await read('sungrow', { register: 13_022, register_type: 'input', count: 3 });
    const expected = { ip, port, unit_id: 1, register: 13_022, register_type: 'input', values: [500, 0, 185] };
    assert.deepEqual([input.status, input.body], [200, expected]);
    const holding = await read('sungrow', { register: 13_057 });
    assert.deepEqual([holding.body.register_type, holding.body.values], ['holding', [1000]]);
  });

  for (const [title, changes, status] of [
    ['a register that does not exist', { register: 1 }, 502],
    ['a unit that does not exist', { register: 13_057, unit_id: 9 }, 502],
    ['an unknown name', { register: 1, ip: 'nobody.invalid' }, 502],
    ['an address outside of the home network', { register: 1, ip: '192.0.2.7' }, 400],
    ['no register', {}, 400],
    ['more than 125', { register: 1, count: 126 }, 400],
    ['none', { register: 1, count: 0 }, 400],
    ['beyond the last', { register: 65_535, count: 2 }, 400],
    ['coils', { register: 1, register_type: 'coil' }, 400],
  ] as const) {
    test(`${title} is answered ${status}`, async () => {
      const { status: answered, body } = await read('sungrow', changes);
      assert.deepEqual([answered, Object.keys(body)], [status, ['status', 'error', 'message']]);
    });
  }

  test('no device is answered 502', async () => {
    assert.equal((await read('sungrow', { register: 1, port: await freePort() })).status, 502);
  });

  test('a port is open or is not', async () => {
    const { ip: host, port } = placeOf('sungrow');
    const open = await post('/api/network/port-check', { host, port });
    assert.deepEqual([open.status, open.body], [200, { host, port, open: true }]);
    const free = await freePort();
    const closed = await post('/api/network/port-check', { host, port: free, timeout: 500 });
    assert.deepEqual([closed.status, closed.body], [200, { host, port: free, open: false }]);
    assert.equal((await post('/api/network/port-check', { host })).status, 400);
    assert.equal((await post('/api/network/port-check', { port })).status, 400);
  });
});
