import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '#sim/listen.ts';
import { openCable } from '../serial/cable.ts';
import { startStopwatch } from '../stopwatch.ts';
import { until } from '../until.ts';
import { gatewayInStreet } from './gateway-in-street.ts';
import { openGateway } from './open-gateway.ts';

const only = ['sungrow', 'sdm630', 'fronius', 'fronius-meter', 'sdm630-rtu', 'p1-dsmr5', 'ferroamp'];
const keys = { decryption_key: 'c0ffee'.padEnd(32, '1'), authentication_key: 'decade'.padEnd(32, '2') };
const { gateway, at, add, list, filesOf } = gatewayInStreet(only);
/** The contents of the data folder, which only its owner may read. */
const storedText = (): string =>
  filesOf()
    .map((file) => readFileSync(join(gateway().folder, 'devices', file), 'utf8'))
    .join();

type Listed = { devices: { ders: { type: string; capacity?: number }[] }[] };

/** An EnergyHub reports its battery less often than its power. */
const isCapacityTold = ({ devices }: Listed): boolean =>
  devices.every(({ ders }) => ders.every(({ type, capacity }) => type !== 'battery' || capacity !== undefined));

suite('stored devices', () => {
  test('return after a restart, are still read, and are removed one by one or all at once', async () => {
    const secrets = [...Object.values(keys), at('ferroamp').password as string];
    const added = await Promise.all(
      only.map((name) =>
        until(
          () => add(name, name.startsWith('p1') ? keys : {}),
          ({ status }) => status !== 503, // all at once, on a busy machine: one may answer too late
        ),
      ),
    );
    assert.deepEqual(
      added.map(({ status }) => status),
      only.map(() => 201),
    );
    await gateway().call('POST', '/api/devices/SIMSUNGROW0001/ders', {
      ders: [
        { type: 'pv', enabled: true, installed_power: 9100 },
        { type: 'battery', capacity: 9600 },
      ],
    });
    const before = await until(list, (all) => isCapacityTold(all));
    assert.equal(before.count, only.length);
    await gateway().restart();
    const back = await until(list, ({ devices }) =>
      devices.every(({ connected }: { connected: boolean }) => connected),
    );
    assert.deepEqual(bySn(back), bySn(before));

    const sungrow = bySn(back).find(({ sn }) => sn === 'SIMSUNGROW0001')!;
    assert.deepEqual(sungrow.ders, [
      { type: 'pv', enabled: true, rated_power: 10_000, installed_power: 9100 },
      { type: 'battery', enabled: false, rated_power: 5000, capacity: 9600 }, // the limit of the battery, not of the inverter
      { type: 'meter', enabled: false },
    ]);
    assert.match(sungrow.path, /^spiffs\/devices\/[0-9a-f]{16}\.json$/);
    assert.ok(filesOf().includes(sungrow.path.split('/').at(-1)!));
    const harvestOf = (all: { devices: { last_harvest: number }[] }) => all.devices.map((one) => one.last_harvest);
    await until(list, (all) => harvestOf(all).every((harvest, index) => harvest > harvestOf(back)[index]!), 7000);

    const shown = JSON.stringify([added.map(({ body }) => body), before, back, gateway().lines]);
    for (const secret of secrets) {
      assert.ok(storedText().includes(secret), 'what is needed to connect again is stored');
      assert.ok(!shown.includes(secret), 'and never shown');
    }

    assert.equal((await gateway().call('DELETE', '/api/devices/SIMSUNGROW0001')).status, 200);
    assert.equal((await gateway().call('DELETE', '/api/devices/SIMSUNGROW0001')).status, 404);
    assert.deepEqual([(await list()).count, filesOf().length], [only.length - 1, only.length - 1]);
    assert.equal((await gateway().call('DELETE', '/api/devices')).status, 200);
    assert.deepEqual([(await list()).count, filesOf()], [0, []]);
    await gateway().restart();
    assert.equal((await list()).count, 0);
  });

  test('show their ratings with their readings, as they are sent to the platform', async () => {
    await add('sungrow');
    const ders = [{ type: 'battery', capacity: 9600 }];
    await gateway().call('POST', '/api/devices/SIMSUNGROW0001/ders', { ders });
    const { pv, battery } = (await gateway().call('GET', '/api/devices/SIMSUNGROW0001/data/json')).body;
    assert.deepEqual([pv.rated_power_W, battery.rated_power_W, battery.capacity_Wh], [10_000, 5000, 9600]);
    await gateway().call('DELETE', '/api/devices');
  });

  test('accept changes of several DERs at the same time', async () => {
    await add('sungrow');
    const change = (type: string) =>
      gateway().call('POST', '/api/devices/SIMSUNGROW0001/types', { ders: [{ type, enabled: true }] });
    await Promise.all(['pv', 'battery', 'meter'].map(change));
    const { body } = await gateway().call('GET', '/api/devices/SIMSUNGROW0001/ders');
    assert.deepEqual(
      body.ders.map(({ enabled }: { enabled: boolean }) => enabled),
      [true, true, true],
    );
    await gateway().call('DELETE', '/api/devices');
  });

  test('are disconnected when they are removed during connection', async (t) => {
    const door = await openDoor(Number(at('ferroamp').broker_port));
    t.after(() => door.close());
    assert.equal((await add('ferroamp', { broker_port: door.port })).status, 201);
    door.delayMs = 800;
    await gateway().restart();
    assert.equal((await gateway().call('DELETE', '/api/devices')).status, 200);
    assert.equal(door.open(), 1);
    await until(door.open, (open) => open === 0, 4000);
  });

  test('do not delay a stop, even a meter that sends nothing', async () => {
    const cable = await openCable();
    const stopping = await openGateway();
    const waiting = stopping
      .call('POST', '/api/devices', { type: 'p1_uart', serial_port: cable.gateway })
      .catch(() => {});
    await sleep(500);
    const stopwatch = startStopwatch();
    await stopping.close();
    await waiting;
    await cable.close();
    assert.ok(stopwatch.ms() < 2000);
  });
});

/** A proxy to a port that can delay connections. */
async function openDoor(port: number) {
  const through = new Set<Socket>();
  const listener = await listen({ port: 0 }, (socket) => {
    through.add(socket);
    socket.on('close', () => through.delete(socket));
    setTimeout(() => {
      const inner = connect(port, '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      socket.on('close', () => inner.destroy());
      inner.on('close', () => socket.destroy());
    }, door.delayMs);
  });
  const door = { ...listener, delayMs: 0, open: () => through.size };
  return door;
}

type Entry = { sn: string; path: string; ders: object[]; last_harvest?: number };

const bySn = ({ devices }: { devices: Entry[] }): Entry[] =>
  devices.map(({ last_harvest: _, ...entry }) => entry).toSorted((one, other) => (one.sn < other.sn ? -1 : 1));
