import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ConnectionType, connectionTypes, type Parameter } from './connections.ts';

const documented = `
  modbus_tcp ip string required
  modbus_tcp port integer required 502
  modbus_tcp unit_id integer required 1
  modbus_tcp profile string required
  modbus_rtu baud_rate integer required 9600
  modbus_rtu unit_id integer required 1
  modbus_rtu profile string required
  modbus_rtu parity integer optional 0
  modbus_rtu data_bits integer optional 8
  modbus_rtu stop_bits integer optional 1
  p1_uart manufacturer string optional
  p1_uart baud_rate integer required 115200
  p1_uart data_bits integer required 8
  p1_uart parity string optional none
  p1_uart stop_bits integer optional 1
  mqtt broker_host string required
  mqtt broker_port integer required 1883
  mqtt profile string required
  mqtt username string optional
  mqtt password string optional
  mqtt client_id string optional`;

suite('a parameter is listed as documented', () => {
  for (const row of documented.trim().split('\n')) {
    const [connection, ...words] = row.trim().split(' ');
    test(row.trim(), () => {
      const parameters: readonly Parameter[] = connectionTypes[connection as ConnectionType].parameters;
      const { name, type, required, default: fallback } = parameters.find((known) => known.name === words[0])!;
      const told = [
        name,
        type,
        required ? 'required' : 'optional',
        ...(fallback === undefined ? [] : [String(fallback)]),
      ];
      assert.deepEqual(told, words);
    });
  }
});
