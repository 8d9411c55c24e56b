import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  billEnd,
  type Comparison,
  comparedRange,
  comparisonsOf,
  csvName,
  hasEnded,
  neighbour,
  onDay,
  onlyFor,
  passedEnd,
  queryFor,
  rangeOf,
  withPreset,
} from './range.ts';

const day = { from: 0, to: 86_400_000 };
const month = { from: 0, to: 30 * 86_400_000 };
const again = (): void => {};
const problem = new Error('away');

for (const { says, load, value } of [
  { says: 'a value of the range is kept', load: { isLoading: false }, value: { span: month, amount: 64 } },
  {
    says: 'a value of the range is kept while it is reloaded',
    load: { isLoading: true },
    value: { span: { ...month }, amount: 64 },
  },
  {
    says: 'a value of the range is kept when reloading fails',
    load: { isLoading: false, problem },
    value: { span: month, amount: 64 },
  },
]) {
  test(says, () => assert.deepEqual(onlyFor({ ...load, value, again }, month), { ...load, value, again }));
}

for (const { says, load } of [
  { says: 'a value of another range is dropped while the next is loading', load: { isLoading: true } },
  { says: 'a value of another range is dropped when loading the next fails', load: { isLoading: false, problem } },
]) {
  test(says, () => {
    const value = { span: day, amount: 11.89 };
    assert.deepEqual(onlyFor({ ...load, value, again }, month), { ...load, again });
  });
}

test('a missing value stays missing', () => {
  assert.deepEqual(onlyFor({ isLoading: false, value: undefined, again }, month), { isLoading: false, again });
});

const timeZone = 'Europe/Stockholm';
const now = Date.parse('2026-03-31T10:00:00Z');
const hour = 3_600_000;
const asked = (query: string, at = now) => rangeOf(new URLSearchParams(query), at, timeZone);
const local = ({ from, to }: { from: number; to: number }): string =>
  [from, to].map((ms) => new Date(ms).toLocaleString('sv-SE', { timeZone }).slice(0, 16)).join(' to ');

for (const { query, means, hours, follows } of [
  { query: '', means: '2026-03-31 00:00 to 2026-04-01 00:00', hours: 24, follows: true },
  { query: 'range=day&date=2026-03-29', means: '2026-03-29 00:00 to 2026-03-30 00:00', hours: 23, follows: false },
  { query: 'range=day&date=2026-10-25', means: '2026-10-25 00:00 to 2026-10-26 00:00', hours: 25, follows: false },
  { query: 'range=week', means: '2026-03-30 00:00 to 2026-04-06 00:00', hours: 168, follows: true },
  { query: 'range=week&date=2026-03-29', means: '2026-03-23 00:00 to 2026-03-30 00:00', hours: 167, follows: false },
  { query: 'range=month', means: '2026-03-01 00:00 to 2026-04-01 00:00', hours: 743, follows: true },
  { query: 'range=year&date=2028-05-05', means: '2028-01-01 00:00 to 2029-01-01 00:00', hours: 8784, follows: false },
  {
    query: 'from=2026-03-01T00:00:00Z&to=2026-03-02T12:00:00Z',
    means: '2026-03-01 01:00 to 2026-03-02 13:00',
    hours: 36,
    follows: false,
  },
  { query: 'range=century&date=2026-02-30', means: '2026-03-31 00:00 to 2026-04-01 00:00', hours: 24, follows: true },
  {
    query: 'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    means: '2026-03-31 00:00 to 2026-04-01 00:00',
    hours: 24,
    follows: true,
  },
]) {
  test(`the query ${query || '(empty)'} selects ${means}`, () => {
    const range = asked(query);
    assert.equal(local(range), means);
    assert.equal((range.to - range.from) / hour, hours);
    assert.equal(range.follows, follows);
  });
}

for (const { query, before, after } of [
  {
    query: 'range=day&date=2026-03-29',
    before: '2026-03-28 00:00 to 2026-03-29 00:00',
    after: '2026-03-30 00:00 to 2026-03-31 00:00',
  },
  {
    query: 'range=week&date=2026-03-29',
    before: '2026-03-16 00:00 to 2026-03-23 00:00',
    after: '2026-03-30 00:00 to 2026-04-06 00:00',
  },
  {
    query: 'range=month&date=2026-03-31',
    before: '2026-02-01 00:00 to 2026-03-01 00:00',
    after: '2026-04-01 00:00 to 2026-05-01 00:00',
  },
  {
    query: 'range=year&date=2026-03-31',
    before: '2025-01-01 00:00 to 2026-01-01 00:00',
    after: '2027-01-01 00:00 to 2028-01-01 00:00',
  },
  {
    query: 'from=2026-03-01T00:00:00Z&to=2026-03-01T06:00:00Z',
    before: '2026-02-28 19:00 to 2026-03-01 01:00',
    after: '2026-03-01 07:00 to 2026-03-01 13:00',
  },
]) {
  test(`${query} has adjacent previous and next periods`, () => {
    assert.equal(local(neighbour(asked(query), -1, timeZone)), before);
    assert.equal(local(neighbour(asked(query), 1, timeZone)), after);
  });
}

test('a range survives the round trip through the query', () => {
  for (const query of [
    'range=day',
    'range=week&date=2026-03-16',
    'range=month&date=2026-02-01',
    'range=year&date=2025-01-01',
  ]) {
    const written = Object.entries(queryFor(asked(query), now, timeZone)).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    assert.equal(written.join('&'), query);
  }
  const custom = queryFor(asked('from=1774000000&to=1774003600'), now, timeZone);
  assert.deepEqual(custom, {
    range: undefined,
    date: undefined,
    from: '2026-03-20T09:45:00.000Z',
    to: '2026-03-20T11:00:00.000Z',
  });
});

test('the day after yesterday follows the clock', () => {
  const today = neighbour(asked('range=day&date=2026-03-30'), 1, timeZone);
  assert.equal(queryFor(today, now, timeZone).date, undefined);
  assert.ok(!hasEnded(today, now));
  assert.ok(hasEnded(asked('range=day&date=2026-03-30'), now));
});

const ended = Date.parse('2029-01-10T12:00:00Z');
const noon = Date.parse('2026-03-31T10:00:00Z');
const shortly = Date.parse('2026-03-31T21:50:00Z');
const leapDay = Date.parse('2028-02-29T09:03:00Z');

const expected: [query: string, at: number, comparison: Comparison, means: string][] = [
  ['range=day&date=2026-03-30', ended, 'before', '2026-03-29 00:00 to 2026-03-30 00:00'],
  ['range=day&date=2026-03-30', ended, 'lastYear', '2025-03-31 00:00 to 2025-04-01 00:00'],
  ['range=day', noon, 'before', '2026-03-30 00:00 to 2026-03-30 11:45'],
  ['range=day', leapDay, 'lastYear', '2027-03-02 00:00 to 2027-03-02 10:00'],
  ['range=week&date=2026-03-29', ended, 'before', '2026-03-16 00:00 to 2026-03-23 00:00'],
  ['range=week&date=2026-03-29', ended, 'lastYear', '2025-03-24 00:00 to 2025-03-31 00:00'],
  ['range=week', noon, 'before', '2026-03-23 00:00 to 2026-03-24 11:45'],
  ['range=month&date=2026-03-01', ended, 'before', '2026-02-01 00:00 to 2026-03-01 00:00'],
  ['range=month&date=2028-02-01', ended, 'lastYear', '2027-02-01 00:00 to 2027-03-01 00:00'],
  ['range=month', noon, 'before', '2026-02-01 00:00 to 2026-03-01 00:00'],
  ['range=month', shortly, 'lastYear', '2025-03-01 00:00 to 2025-03-31 23:45'],
  ['range=month&date=2026-01-01', ended, 'before', '2025-12-01 00:00 to 2026-01-01 00:00'],
  ['range=year&date=2028-01-01', ended, 'before', '2027-01-01 00:00 to 2028-01-01 00:00'],
  ['range=year', leapDay, 'before', '2027-01-01 00:00 to 2027-02-28 10:00'],
  ['from=2026-03-29T00:00:00Z&to=2026-03-29T06:00:00Z', ended, 'before', '2026-03-28 19:00 to 2026-03-29 01:00'],
  ['from=2026-03-29T00:00:00Z&to=2026-03-29T06:00:00Z', ended, 'lastYear', '2025-03-29 01:00 to 2025-03-29 08:00'],
  ['from=2026-03-31T00:00:00Z&to=2026-04-02T00:00:00Z', noon, 'before', '2026-03-29 01:00 to 2026-03-29 11:45'],
];
for (const [query, at, comparison, means] of expected) {
  test(`${query} is compared with ${means} (${comparison})`, () => {
    assert.equal(local(comparedRange(asked(query, at), comparison, at, timeZone)), means);
  });
}

test('a range that has not ended has passed until the end of the current quarter of an hour', () => {
  assert.equal(passedEnd(asked(''), now), now + hour / 4);
  const yesterday = asked('range=day&date=2026-03-30');
  assert.equal(passedEnd(yesterday, now), yesterday.to);
  assert.equal(billEnd(asked('range=month'), now), now + hour / 4);
  assert.equal(billEnd(asked(''), now), now - hour / 4);
});

test('a year has one comparison, because the year before is also last year', () => {
  assert.deepEqual(comparisonsOf(asked('range=year')), ['before']);
  assert.deepEqual(comparisonsOf(asked('range=week')), ['before', 'lastYear']);
});

test('another preset selects today if possible, else the first day of the range', () => {
  assert.equal(local(withPreset(asked('range=month'), 'day', now, timeZone)), '2026-03-31 00:00 to 2026-04-01 00:00');
  const february = asked('range=month&date=2026-02-10');
  assert.equal(local(withPreset(february, 'week', now, timeZone)), '2026-01-26 00:00 to 2026-02-02 00:00');
  assert.deepEqual(withPreset(february, 'custom', now, timeZone), { ...february, preset: 'custom', follows: false });
  assert.equal(local(onDay('month', '2026-02-14', timeZone)), '2026-02-01 00:00 to 2026-03-01 00:00');
});

for (const { timeZone, from } of [
  { timeZone: 'Europe/Stockholm', from: '2026-11-15T23:00:00Z' },
  { timeZone: 'America/New_York', from: '2026-11-16T05:00:00Z' },
  { timeZone: 'UTC', from: '2026-11-16T00:00:00Z' },
]) {
  test(`a CSV file that starts on the 16th in ${timeZone} is named after that day`, () => {
    const span = { from: Date.parse(from), to: Date.parse(from) + 86_400_000 };
    assert.equal(csvName('sit-1', span, timeZone), 'sit-1-2026-11-16.csv');
  });
}
