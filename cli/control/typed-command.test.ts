import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../line/command.ts';
import { endOf, parseSignedPower, readCheapest, readDuration, readTimeOfDay } from './typed-command.ts';

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

test('a duration is from a second to a day, and above an hour an order', () => {
  assert.deepEqual(
    ['1s', '10m', '24h'].map((text) => readDuration(text)),
    [1, 600, 86_400],
  );
  for (const text of ['0s', '0.5s', '25h', 'long']) assert.throws(() => readDuration(text), UsageError);
});

const none = {
  for: undefined,
  until: undefined,
  'until-full': false,
  'until-soc': undefined,
  cheapest: undefined,
  before: undefined,
};

for (const { given, end } of [
  { given: { for: 3600 }, end: undefined },
  { given: { for: 21_600 }, end: { for_s: 21_600 } },
  { given: { until: '07:00' }, end: { until: '07:00' } },
  { given: { 'until-full': true }, end: { until_soc_pct: 100 } },
  { given: { 'until-soc': 80 }, end: { until_soc_pct: 80 } },
  { given: { cheapest: 10_800, before: '07:00' }, end: { cheapest_s: 10_800, before: '07:00' } },
])
  test(`the end of ${JSON.stringify(given)}`, () => assert.deepEqual(endOf({ ...none, ...given }), end));

test('two ends, a bad time and hours that are not quarters are refused', () => {
  assert.throws(() => endOf({ ...none, for: 60, until: '07:00' }), /only one of --for and --until/);
  assert.throws(() => endOf({ ...none, for: 60, before: '07:00' }), /only for --cheapest/);
  assert.throws(() => readTimeOfDay('7', '--until'), UsageError);
  assert.throws(() => readCheapest('20m'), UsageError);
  assert.equal(readCheapest('3h'), 10_800);
});
