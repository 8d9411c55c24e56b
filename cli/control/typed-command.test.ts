import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../line/command.ts';
import { parseSignedPower, readLease } from './typed-command.ts';

for (const [action, text, type, watts] of [
  ['charge', '3kW', 'battery', 3000],
  ['discharge', '2000W', 'battery', -2000],
  ['discharge', '2kW', 'ev_charger_port', -2000],
  ['curtail', '1kW', 'solar', 1000],
  ['curtail', '0W', 'solar', 0],
  ['discharge', '0W', 'battery', 0],
  ['idle', undefined, 'battery', 0],
  ['idle', undefined, 'ev_charger_port', 0],
] as const) {
  test(`${action} ${text ?? 'without a power'} of a ${type} is ${watts} W on the wire`, () =>
    assert.equal(Object.is(parseSignedPower(action, text, type), watts), true));
}

for (const [action, text, type, says] of [
  ['charge', undefined, 'battery', /^charge needs a power/],
  ['charge', '3', 'battery', /^"3" is not a valid power\. Examples: 3kW, 2000W$/],
  ['charge', '-1kW', 'battery', /^Give the power without a sign; .* Instead of charge -1kW, write: discharge 1kW$/],
  ['discharge', '-500W', 'battery', /write: charge 500W$/],
  ['curtail', '-1kW', 'solar', /write: curtail 1kW$/],
  ['charge', '+1kW', 'battery', /write: charge 1kW$/],
  ['charge', '-x', 'battery', /^"-x" is not a valid power/],
  ['curtail', '1kW', 'battery', /^Only solar power can be curtailed/],
  ['charge', '1kW', 'solar', /Solar power can be curtailed/],
  ['idle', '1kW', 'battery', /^idle takes no power/],
  ['idle', undefined, 'solar', /^Only batteries and cars can stay idle/],
  ['discharge', '1kW', 'meter', /^Only batteries and cars can discharge; this DER is of type meter\.$/],
] as const) {
  test(`${action} ${text} of a ${type} is refused before anything is sent`, () => {
    assert.throws(
      () => parseSignedPower(action, text, type),
      (error) => error instanceof UsageError && says.test(error.message),
    );
  });
}

test('a lease is from a second to an hour', () => {
  assert.deepEqual(
    ['1s', '10m', '1h'].map((text) => readLease(text)),
    [1, 600, 3600],
  );
  for (const text of ['0s', '0.5s', '61m', 'long']) assert.throws(() => readLease(text), UsageError);
});
