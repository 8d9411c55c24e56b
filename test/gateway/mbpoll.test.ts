import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { systemClock } from '#lib/clock.ts';
import { sdm630 } from '#sim/modbus/banks/sdm630.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { serveRtu } from '#sim/modbus/rtu.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { openCable } from '../serial/cable.ts';
import { openSerial } from '../serial/open-serial.ts';
import { openGateway } from './open-gateway.ts';

const missing = ['mbpoll', 'socat'].filter((command) => spawnSync(command, ['-h']).error);
const skip = missing.length > 0 && `${missing.join(' and ')} not installed (Debian: apt install ${missing.join(' ')})`;

const run = promisify(execFile);

/** Values by address, as another Modbus master reads them. */
async function poll(...args: string[]): Promise<Record<string, number>> {
  const { stdout } = await run('mbpoll', ['-0', '-1', '-q', '-o', '1', ...args]);
  const lines = [...stdout.matchAll(/^\[(\d+)\]:\s+(\S+)/gm)];
  return Object.fromEntries(lines.map(([, address, value]) => [address, Number(value)]));
}

const inputs = ['-t', '3'];
const holdings = ['-t', '4'];
const floats = ['-t', '3:float', '-B'];
const house = fixedHouse({ pv_W: -3000, battery_W: 1200, battery_soc_fract: 0.62, load_W: 700 });

suite('mbpoll and the gateway read the same', { skip }, () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let street: Street;
  before(async () => {
    gateway = await openGateway();
    street = await startStreet({ portBase: 0, house, only: ['sungrow', 'goodwe', 'sma', 'victron', 'sdm630'] });
    await Promise.all(street.players.map(({ connection }) => gateway.call('POST', '/api/devices', connection)));
  });
  after(async () => {
    await gateway.close();
    await street.close();
  });

  const registersOf = async (sn: string, from: number, count: number, query: string) => {
    const { body } = await gateway.call('GET', `/api/devices/${sn}/registers/${from}?size=${count}&${query}`);
    const values = body.values.map((hex: string, index: number) => [from + index, Number(hex)]);
    return Object.fromEntries(values) as Record<string, number>;
  };

  for (const { name, sn, kind, query, from, count } of [
    { name: 'sungrow', sn: 'SIMSUNGROW0001', kind: inputs, query: 'function_code=4', from: 13_019, count: 6 },
    { name: 'sungrow', sn: 'SIMSUNGROW0001', kind: holdings, query: 'function_code=3', from: 13_049, count: 3 },
    { name: 'goodwe', sn: 'SIMGOODWE0000001', kind: holdings, query: 'function_code=3', from: 35_180, count: 3 },
    { name: 'sma', sn: '990000001', kind: holdings, query: 'function_code=3', from: 30_773, count: 2 },
    { name: 'victron', sn: 'SIMVICTRON01', kind: holdings, query: 'function_code=3', from: 840, count: 4 },
    { name: 'sdm630', sn: '99000001', kind: inputs, query: 'function_code=4', from: 52, count: 2 },
  ]) {
    test(`${count} registers of ${name} from ${from} over TCP`, async () => {
      const { ip, port, unit_id } = street.players.find((player) => player.name === name)!.connection;
      const place = ['-m', 'tcp', '-p', String(port), '-a', String(unit_id), '-r', String(from), '-c', String(count)];
      const polled = await poll(...place, ...kind, String(ip));
      assert.equal(Object.keys(polled).length, count);
      assert.deepEqual(polled, await registersOf(sn, from, count, query));
    });
  }

  test('a meter over a serial line', async (t) => {
    const cable = await openCable();
    t.after(() => cable.close());
    const meter = createDevice(sdm630(99_000_009), { house, clock: systemClock });
    const bus = await openSerial({ path: cable.device, baudRate: 9600 });
    t.after(() => bus.close());
    serveRtu(bus.stream, [meter]);
    const serial = ['-m', 'rtu', '-b', '9600', '-d', '8', '-s', '1', '-P', 'none', '-a', '1'];
    const polled = await poll(...serial, ...floats, '-r', '52', '-c', '1', cable.gateway);
    const connection = {
      type: 'modbus_rtu',
      profile: 'sdm630',
      serial_port: cable.gateway,
      baud_rate: 9600,
      unit_id: 1,
    };
    const added = await gateway.call('POST', '/api/devices', connection);
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const { body } = await gateway.call('GET', '/api/devices/99000009/data/json');
    assert.deepEqual([polled['52'], body.meter.W], [house.at(0).meter_W, house.at(0).meter_W]);
    await gateway.call('DELETE', '/api/devices/99000009');
  });
});
