import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { openGateway } from '../../gateway/open-gateway.ts';
import { openNetwork } from '../../gateway/open-network.ts';
import { forbiddenTargets } from '../../proof/trials/forbidden-targets.ts';
import { spellings } from './forbidden-targets.ts';

/** Listens on every address of this machine and records connections. */
async function openCanary(t: TestContext): Promise<{ port: number; visits(): number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {}).destroy();
  }).listen(0); // all of them, including IPv6 where it exists
  t.after(() => server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, visits: () => visits };
}

/** IPv6 addresses are in brackets here. */
const adapterAt = (host: string, port: number): string =>
  `tcp://${host.includes(':') || host.startsWith('[') ? `[${host}]` : host}:${port}`;

suite(`${spellings.length} spellings of forbidden addresses`, () => {
  test('are 80 and more, each once', () => {
    assert.ok(spellings.length >= 80);
    assert.equal(new Set(spellings).size, spellings.length);
  });

  test('are not called by a port check', async (t) => {
    const canary = await openCanary(t);
    const network = openNetwork(t, '');
    const check = (host: string) => {
      network.clock.advance(60_000); // the probe limit is not what refuses them
      return network.call('POST /api/network/port-check', { body: { host, port: canary.port, timeout: 500 } });
    };
    for (const host of spellings) {
      const { status } = await check(host);
      assert.equal(status, 400, JSON.stringify(host));
    }
    assert.equal(canary.visits(), 0);
    assert.equal((await check('127.0.0.1')).body.open, true);
    assert.equal(canary.visits(), 1);
  });

  test('are not called for a device by Modbus, MQTT or a serial adapter', async (t) => {
    const canary = await openCanary(t);
    const gateway = await openGateway();
    t.after(() => gateway.close());
    for (const host of spellings) {
      for (const device of [
        { type: 'modbus_tcp', ip: host, port: canary.port, unit_id: 1, profile: 'sungrow' },
        { type: 'mqtt', broker_host: host, broker_port: canary.port, profile: 'ambibox' },
        { type: 'p1_uart', serial_port: adapterAt(host, canary.port), baud_rate: 115_200 },
      ]) {
        const { status } = await gateway.call('POST', '/api/devices', device);
        const isNoAddress = status === 503 && device.type === 'p1_uart';
        assert.ok(status === 400 || isNoAddress, `${JSON.stringify(device)} ${status}`);
      }
    }
    assert.equal(canary.visits(), 0);
    const reached = { type: 'modbus_tcp', ip: '127.0.0.1', port: canary.port, unit_id: 1, profile: 'sungrow' };
    await gateway.call('POST', '/api/devices', reached);
    assert.ok(canary.visits() > 0);
  });

  test('ten thousand more are refused before any name is looked up', async () => {
    assert.deepEqual(await forbiddenTargets.attempt(10_000), { tried: 10_000, failed: 0, notes: [] });
    assert.ok((await forbiddenTargets.planted()).failed > 0);
  });

  test('cannot be scanned: port checks, ad-hoc reads and detection share 60 probes a minute', async (t) => {
    const gateway = await openGateway();
    t.after(() => gateway.close());
    const probes = [
      ['/api/network/port-check', { host: '192.0.2.7', port: 1 }],
      ['/api/modbus/read', { ip: '192.0.2.7', port: 1, unit_id: 1, register: 0 }],
      ['/api/devices/detect', { ip: '192.0.2.7' }],
    ] as const;
    const statuses = new Map<number, number>();
    for (let i = 0; i < 90; i++) {
      const [path, body] = probes[i % probes.length]!;
      const { status } = await gateway.call('POST', path, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual(new Set(statuses.keys()), new Set([400, 429]));
    assert.ok(statuses.get(400)! >= 60 && statuses.get(400)! <= 65, `${statuses.get(400)} were allowed`);
  });
});
