import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from './command.ts';
import { formatLocalTime, parsePastTime, parseRange } from './time.ts';

const now = Date.parse('2026-03-29T12:30:00Z'); // the day on which Europe loses an hour

for (const [text, timeZone, instant] of [
  ['now', 'UTC', '2026-03-29T12:30:00Z'],
  ['today', 'Europe/Stockholm', '2026-03-28T23:00:00Z'],
  ['yesterday', 'Europe/Stockholm', '2026-03-27T23:00:00Z'],
  ['2026-03-30', 'Europe/Stockholm', '2026-03-29T22:00:00Z'],
  ['2026-03-29', 'Pacific/Auckland', '2026-03-28T11:00:00Z'],
  ['2026-03-29', 'Pacific/Kiritimati', '2026-03-28T10:00:00Z'],
  ['2026-03-29', 'Pacific/Pago_Pago', '2026-03-29T11:00:00Z'],
  ['6h', 'UTC', '2026-03-29T06:30:00Z'],
  ['7d', 'UTC', '2026-03-22T12:30:00Z'],
  ['2026-03-29T10:00:00+02:00', 'UTC', '2026-03-29T08:00:00Z'],
  ['1774780200', 'UTC', '2026-03-29T10:30:00Z'],
] as const) {
  test(`"${text}" in ${timeZone} is ${instant}`, () => {
    assert.equal(new Date(parsePastTime(text, { now, timeZone })!).toISOString(), new Date(instant).toISOString());
  });
}

for (const text of ['tomorow', '2026-02-30', '2026-03-29T25:00:00Z', '', '6 hours']) {
  test(`"${text}" is not a valid time`, () => assert.equal(parsePastTime(text, { now, timeZone: 'UTC' }), undefined));
}

test('a time is shown by the clocks of the zone', () => {
  assert.equal(formatLocalTime('Europe/Stockholm', now), '2026-03-29 14:30+02:00');
});

test('without from and to the last day is meant', () => {
  const moment = { now, timeZone: 'UTC' };
  assert.deepEqual(parseRange({ from: undefined, to: undefined }, moment), {
    from: now - 86_400_000,
    to: now,
  });
});

for (const [from, to, says] of [
  ['1h', '2h', /--from must be before --to/],
  ['lately', undefined, /--from is not a valid time/],
  [undefined, 'soon', /--to is not a valid time/],
] as const) {
  test(`from ${from} to ${to} is a mistake of the command line`, () => {
    assert.throws(
      () => parseRange({ from, to }, { now, timeZone: 'UTC' }),
      (error) => error instanceof UsageError && says.test(error.message),
    );
  });
}

for (const { timeZone, at, shown } of [
  { timeZone: 'Europe/Stockholm', at: '2026-10-25T00:30:00Z', shown: '2026-10-25 02:30+02:00' },
  { timeZone: 'Europe/Stockholm', at: '2026-10-25T01:30:00Z', shown: '2026-10-25 02:30+01:00' },
  { timeZone: 'Europe/Stockholm', at: '2026-03-29T01:00:00Z', shown: '2026-03-29 03:00+02:00' },
  { timeZone: 'Europe/Stockholm', at: '2026-03-28T22:59:00Z', shown: '2026-03-28 23:59' },
  { timeZone: 'Europe/Stockholm', at: '2026-10-25T23:00:00Z', shown: '2026-10-26 00:00' },
  { timeZone: 'America/St_Johns', at: '2026-11-01T04:45:00Z', shown: '2026-11-01 01:15-03:30' },
  { timeZone: 'Asia/Tokyo', at: '2026-10-25T00:30:00Z', shown: '2026-10-25 09:30' },
]) {
  test(`${at} is ${shown} in ${timeZone}`, () => assert.equal(formatLocalTime(timeZone, Date.parse(at)), shown));
}
