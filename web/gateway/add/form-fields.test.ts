import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ConnectionType, connectionTypeNames, connectionTypes } from '#contract/gateway/connections.ts';
import { fieldsOf, parametersOf } from './form-fields.ts';

const offered = (type: ConnectionType) =>
  fieldsOf({
    type,
    description: connectionTypes[type].description,
    parameters: connectionTypes[type].parameters.map(({ name, type: kind, required }) => ({
      name,
      type: kind,
      required,
    })),
  });

suite('connection form', () => {
  for (const type of connectionTypeNames) {
    test(`has every parameter of ${type}`, () => {
      assert.deepEqual(
        offered(type).map(({ name }) => name),
        connectionTypes[type].parameters.map(({ name }) => name),
      );
    });
  }

  test('hides secrets', () => {
    const secrets = offered('p1_uart').filter(({ isSecret }) => isSecret);
    assert.deepEqual(
      secrets.map(({ name }) => name),
      ['decryption_key', 'authentication_key'],
    );
  });

  test('shows an unknown type and its parameters as the gateway describes them', () => {
    const parameters = [{ name: 'colour', type: 'string', required: true }];
    assert.deepEqual(fieldsOf({ type: 'pigeon', description: 'By air', parameters }), parameters);
  });

  for (const { says, type, typed, sent } of [
    {
      says: 'numbers are sent as numbers, names as text',
      type: 'modbus_tcp',
      typed: { ip: ' 10.0.0.5 ', port: '502', unit_id: '0', profile: 'sungrow' },
      sent: { ip: '10.0.0.5', port: 502, unit_id: 0, profile: 'sungrow' },
    },
    {
      says: 'empty fields are left out',
      type: 'p1_uart',
      typed: { baud_rate: '', serial_port: ' ', parity: 'even' },
      sent: { parity: 'even' },
    },
    {
      says: 'a choice is sent with the type it has in the table',
      type: 'p1_uart',
      typed: { stop_bits: '1.5', data_bits: '7' },
      sent: { stop_bits: '1.5', data_bits: 7 },
    },
    {
      says: 'text instead of a number is sent for the gateway to refuse',
      type: 'modbus_tcp',
      typed: { port: 'fivehundred' },
      sent: { port: 'fivehundred' },
    },
    {
      says: 'digits in a text field stay text',
      type: 'mqtt',
      typed: { username: '0123' },
      sent: { username: '0123' },
    },
  ] as const) {
    test(says, () => assert.deepEqual(parametersOf(offered(type), typed), sent));
  }
});
