import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateAt } from '#contract/time-zone.ts';
import { nextTimeOfDay, publicationOf, refreshTurn } from './publication.ts';

const at = (text: string): number => Date.parse(text);
const utc = (ms: number | undefined): string => (ms === undefined ? 'none' : new Date(ms).toISOString());
const stockholm = 'Europe/Stockholm';
const minute = 60_000;
const hour = 60 * minute;

for (const { today, published } of [
  { today: '2026-11-15', published: '2026-11-15T11:50:00.000Z' },
  { today: '2026-07-15', published: '2026-07-15T10:50:00.000Z' },
]) {
  test(`on ${today} tomorrow's prices are published at ${published}`, () => {
    assert.equal(utc(publicationOf(today)), published);
  });
}

test('prices are reloaded every hour, and every minute when tomorrow is due', () => {
  const turns = (isKnown: boolean, ...times: string[]) =>
    new Set(times.map((time) => refreshTurn(at(`2026-11-15T${time}Z`), '2026-11-15', isKnown))).size;
  assert.equal(turns(false, '11:01:00', '11:30:00', '11:49:59'), 1);
  assert.equal(turns(false, '11:49:59', '11:50:00', '11:50:30', '11:51:00'), 3);
  assert.equal(turns(true, '12:00:00', '12:30:00', '12:59:59', '13:00:00'), 2);
});

for (const { zone, now, isDue } of [
  { zone: 'Europe/Helsinki', now: '2026-01-14T22:30:00Z', isDue: false },
  { zone: 'Europe/Stockholm', now: '2026-01-14T22:30:00Z', isDue: true },
  { zone: 'Europe/Lisbon', now: '2026-01-14T23:30:00Z', isDue: true },
]) {
  test(`at ${now} tomorrow's prices in ${zone} are ${isDue ? 'due' : 'not yet due'}`, () => {
    const turns = [at(now), at(now) + minute].map((ms) => refreshTurn(ms, dateAt(zone, ms), false));
    assert.equal(turns[0] !== turns[1], isDue);
  });
}

for (const { says, time, now, hours, end } of [
  { says: 'later today', time: '18:00', now: '2026-11-15T09:00:00Z', hours: 3, end: '2026-11-15T17:00:00.000Z' },
  { says: 'tomorrow', time: '07:00', now: '2026-11-15T09:00:00Z', hours: 3, end: '2026-11-16T06:00:00.000Z' },
  {
    says: 'tomorrow if today is too soon',
    time: '11:00',
    now: '2026-11-15T09:00:00Z',
    hours: 3,
    end: '2026-11-16T10:00:00.000Z',
  },
  {
    says: 'today if the hours just fit',
    time: '13:00',
    now: '2026-11-15T09:00:00Z',
    hours: 3,
    end: '2026-11-15T12:00:00.000Z',
  },
  { says: 'after midnight', time: '00:30', now: '2026-11-15T22:00:00Z', hours: 2, end: '2026-11-16T23:30:00.000Z' },
  {
    says: 'after a clock change',
    time: '07:00',
    now: '2026-10-24T20:00:00Z',
    hours: 3,
    end: '2026-10-25T06:00:00.000Z',
  },
]) {
  test(`a time of day means ${says}`, () => {
    assert.equal(utc(nextTimeOfDay(time, at(now), hours * hour, stockholm)), end);
  });
}

test('no time of day means no end', () => {
  for (const time of ['', '24:00', '7:00', 'soon']) assert.equal(nextTimeOfDay(time, 0, 0), undefined);
});
