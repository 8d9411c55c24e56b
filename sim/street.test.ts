import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { suite, test } from 'node:test';
import { freePort } from '#test/free-port.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { streetDevices } from './endpoints.ts';
import { startStreet } from './street.ts';
import { fixedHouse } from './testing/fixed-house.ts';

const addressOf = (connection: Record<string, string | number>): { host: string; port: number } => {
  const line = new URL(String(connection.serial_port ?? 'tcp://none'));
  return {
    host: String(connection.ip ?? connection.broker_host ?? line.hostname),
    port: Number(connection.port ?? connection.broker_port ?? line.port),
  };
};

suite('the street', () => {
  test('all devices start and stop', async () => {
    const street = await startStreet({ portBase: 0, house: fixedHouse() });
    assert.deepEqual(
      street.players.map(({ name }) => name),
      streetDevices.map(({ name }) => name),
    );
    for (const { connection } of street.players) {
      const socket = connect(addressOf(connection));
      await once(socket, 'connect');
      socket.destroy();
    }
    await street.close();
    const refused = await Promise.allSettled(
      street.players.map(({ connection }) => once(connect(addressOf(connection)), 'connect')),
    );
    assert.ok(refused.every(({ status }) => status === 'rejected'));
  });

  test('selected devices start at their fixed ports', async (t) => {
    const portBase = await freePort(1);
    const street = await startStreet({ portBase, only: ['sungrow', 'huawei'], house: fixedHouse() });
    t.after(() => street.close());
    assert.deepEqual(
      street.players.map(({ connection }) => connection),
      ['sungrow', 'huawei'].map((profile, index) => ({
        type: 'modbus_tcp',
        profile,
        ip: '127.0.0.1',
        port: portBase + index,
        unit_id: 1,
      })),
    );
  });

  test('the connection of a meter and a charger is complete', async (t) => {
    const only = ['p1-mbus-encrypted', 'ferroamp', 'fronius-meter'];
    const street = await startStreet({ portBase: 0, only, house: fixedHouse() });
    t.after(() => street.close());
    const [meter, encrypted, hub] = street.players.map(({ connection }) => connection);
    assert.deepEqual([meter!.profile, meter!.unit_id], ['fronius_smart_meter', 200]);
    assert.match(String(encrypted!.serial_port), /^tcp:\/\/127\.0\.0\.1:\d+$/);
    assert.match(String(encrypted!.decryption_key), /^[0-9a-f]{32}$/);
    assert.deepEqual([hub!.type, hub!.username], ['mqtt', 'extapi']);
  });

  test('a port in use stops the whole street', async (t) => {
    const portBase = await freePort(1);
    const taken = createServer();
    t.after(() => taken.close());
    await listenOnLoopback(taken, portBase + 1);
    await assert.rejects(startStreet({ portBase, only: ['sungrow', 'huawei'], house: fixedHouse() }), {
      code: 'EADDRINUSE',
    });
    await assert.rejects(once(connect(portBase, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
  });

  test('an unknown name is reported', async () => {
    await assert.rejects(startStreet({ only: ['sungrowl'] }), /The street has no device named sungrowl/);
  });
});
