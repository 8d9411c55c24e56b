import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DeviceConnection } from './connection.ts';
import { fallbackSerial } from './serial.ts';

const ownLine = '/dev/ttyAMA0';
const tcp = (port: number, unit_id: number): DeviceConnection => ({
  type: 'modbus_tcp',
  profile: 'sdm630',
  ip: '192.168.1.50',
  port,
  unit_id,
});
const rtu = (serial_port: string, unit_id: number): DeviceConnection => ({
  type: 'modbus_rtu',
  profile: 'sdm630',
  serial_port,
  unit_id,
});
const mqtt = (broker_port: number): DeviceConnection => ({
  type: 'mqtt',
  profile: 'ferroamp',
  broker_host: '192.168.1.60',
  broker_port,
});
const p1 = (serial_port: string): DeviceConnection => ({ type: 'p1_uart', profile: 'p1_meter', serial_port });

/** Returns the names of devices that are added one after the other. */
function namesOf(connections: readonly DeviceConnection[]): string[] {
  const names: string[] = [];
  for (const connection of connections) {
    const name = fallbackSerial(connection, { taken: (sn) => names.includes(sn), ownLine });
    assert.ok(!names.includes(name), `${name} is already in use`);
    names.push(name);
  }
  return names;
}

suite('devices without a serial number', () => {
  for (const { says, connections, names } of [
    {
      says: 'at one address are distinguished by unit and port',
      connections: [tcp(502, 1), tcp(502, 2), tcp(1502, 1), tcp(1503, 1)],
      names: ['', '_2', '_1_1502', '_1_1503'].map((end) => `sdm630_192.168.1.50${end}`),
    },
    {
      says: 'on serial lines are distinguished by unit and line',
      connections: [rtu(ownLine, 1), rtu(ownLine, 2), rtu('/dev/ttyUSB0', 1), rtu('tcp://192.168.1.9:8899', 1)],
      names: ['', '_2', '_1_c0ee77d8', '_1_8a10e83a'].map((end) => `sdm630_rs485${end}`),
    },
    {
      says: 'on the brokers of one host are distinguished by port',
      connections: [mqtt(1883), mqtt(1884), mqtt(1885)],
      names: ['', '_1884', '_1885'].map((end) => `ferroamp_192.168.1.60${end}`),
    },
    {
      says: 'that are P1 meters are distinguished by line',
      connections: [p1('/dev/ttyUSB0'), p1('/dev/ttyUSB1')],
      names: ['p1_meter', 'p1m-0acb1c29'],
    },
  ]) {
    test(says, () => assert.deepEqual(namesOf(connections), names));

    test(`${says}, and only the first one depends on the order`, () => {
      const [first, ...others] = connections;
      const [plain, ...rest] = namesOf(connections);
      assert.deepEqual(namesOf([first!, ...others.toReversed()]), [plain, ...rest.toReversed()]);
    });
  }
});
