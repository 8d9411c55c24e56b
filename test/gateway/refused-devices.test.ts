import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { freePort } from '../free-port.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { gatewayInStreet } from './gateway-in-street.ts';
import { openGateway } from './open-gateway.ts';

const only = ['sungrow', 'sdm630', 'fronius', 'sdm630-rtu', 'p1-dsmr5', 'ferroamp'];
const { gateway, at, add, list, filesOf } = gatewayInStreet(only);

/** Adds the inverter through a relay, which has another address. */
async function addThroughRelay() {
  const { ip, port } = at('sungrow');
  const relay = createServer((socket) => socket.pipe(connect(Number(port), String(ip))).pipe(socket));
  try {
    return await add('sungrow', { port: await listenOnLoopback(relay) });
  } finally {
    relay.close();
  }
}

suite('a device that cannot be added is refused with a reason, and nothing is stored', () => {
  before(async () => {
    for (const name of ['sungrow', 'sdm630-rtu', 'p1-dsmr5']) assert.equal((await add(name)).status, 201);
  });
  after(() => gateway().call('DELETE', '/api/devices'));

  for (const [title, ask, status, message] of [
    ['the same device again', () => add('sungrow'), 409, /at this place already/],
    ['the same place under another profile', () => add('sungrow', { profile: 'huawei' }), 409, /at this place already/],
    ['the same place by another name', () => add('sungrow', { ip: 'localhost' }), 409, /at this place already/],
    ['the same serial at another place', addThroughRelay, 409, /SIMSUNGROW0001 is here already/],
    ['the same line and unit', () => add('sdm630-rtu'), 409, /at this place already/],
    [
      'the same line with other settings',
      () => add('sdm630-rtu', { unit_id: 2, baud_rate: 19_200 }),
      409,
      /in use with/,
    ],
    [
      'the same line by another name',
      () => add('p1-dsmr5', { serial_port: String(at('p1-dsmr5').serial_port).replace('127.0.0.1', 'localhost') }),
      409,
      /at this place already/,
    ],
    ['a second meter on a P1 line', () => add('p1-dsmr5', { baud_rate: 9600 }), 409, /at this place already/],
    [
      'Modbus on the line of a P1 meter',
      () => add('sdm630-rtu', { serial_port: at('p1-dsmr5').serial_port }),
      409,
      /at this place already/,
    ],
    [
      'a P1 meter on a Modbus line',
      () => add('p1-dsmr5', { serial_port: at('sdm630-rtu').serial_port }),
      409,
      /at this place already/,
    ],
    ['another device than the profile is for', () => add('sdm630', { profile: 'huawei' }), 400, /\w+ .*\.$/],
    ['an unknown profile', () => add('sdm630', { profile: 'sdm631' }), 400, /GET \/api\/devices\/supported/],
    ['a profile of another connection', () => add('sdm630', { profile: 'ambibox' }), 400, /connected by mqtt/],
    ['no profile', () => add('sdm630', { profile: undefined }), 400, /body\.profile: is required/],
    ['an address on the internet', () => add('sdm630', { ip: '192.0.2.7' }), 400, /not in the local network/],
    ['the address of a cloud machine', () => add('sdm630', { ip: '169.254.169.254' }), 400, /not in the local network/],
    ['a line on the internet', () => add('sdm630-rtu', { serial_port: 'tcp://192.0.2.7:5' }), 400, /not in the local/],
    ['a broker on the internet', () => add('ferroamp', { broker_host: '192.0.2.7' }), 400, /not in the local network/],
    ['a file in place of a line', () => add('sdm630-rtu', { serial_port: '/etc/passwd' }), 400, /body\.serial_port/],
    [
      'no line, and the gateway has none',
      () => add('p1-dsmr5', { serial_port: undefined }),
      503,
      /set GATEWAY_P1_PORT/,
    ],
    [
      'an unknown profile, and no line',
      () => add('p1-dsmr5', { serial_port: undefined, profile: 'p2' }),
      400,
      /GET \/api\/devices\/supported/,
    ],
    ['a line that does not exist', () => add('sdm630-rtu', { serial_port: '/dev/ttyNONE9' }), 503, /\/dev\/ttyNONE9/],
    ['an address where nothing listens', async () => add('sdm630', { port: await freePort() }), 503, /nothing listens/],
    ['a unit that does not exist', () => add('fronius', { unit_id: 77 }), 503, /No unit 77 .* Detection tries/],
    ['a broker where nothing listens', async () => add('ferroamp', { broker_port: await freePort() }), 503, /No MQTT/],
    ['a wrong password', () => add('ferroamp', { password: 'wrong' }), 503, /refuses the user name or password/],
    ['an unknown name', () => add('sdm630', { ip: 'nobody.invalid' }), 503, /cannot be looked up/],
  ] as const) {
    test(title, async () => {
      const before = [await list(), filesOf()].map((all) => JSON.stringify(all).replaceAll(/"last_harvest":\d+/g, ''));
      const answer = await ask();
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.match(answer.body.message, message);
      assert.deepEqual(Object.keys(answer.body), ['status', 'error', 'message']);
      const now = [await list(), filesOf()].map((all) => JSON.stringify(all).replaceAll(/"last_harvest":\d+/g, ''));
      assert.deepEqual(now, before);
    });
  }

  test('a refused device can be added once it is correct', async () => {
    assert.equal((await add('sdm630', { profile: 'huawei' })).status, 400);
    assert.equal((await add('sdm630')).status, 201);
  });

  test('a device without a serial number under another name of its broker', async () => {
    assert.equal((await add('ferroamp')).status, 201);
    const { status, body } = await add('ferroamp', { broker_host: 'localhost' });
    assert.deepEqual([status, body.error], [409, 'conflict']);
  });

  test('without memory', async () => {
    const full = await openGateway({ MIN_FREE_KB: '1000000000000' });
    const { status, body } = await full.call('POST', '/api/devices', at('sungrow'));
    assert.deepEqual([status, body.error], [503, 'insufficient_memory']);
    await full.close();
  });

  test('two callers that add the same device at the same time get one device', async () => {
    const statuses = (await Promise.all([add('fronius'), add('fronius'), add('fronius')])).map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [201, 409, 409],
    );
    assert.equal((await list()).devices.filter(({ sn }: { sn: string }) => sn === 'SIMFRONIUS01').length, 1);
  });
});
