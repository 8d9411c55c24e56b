import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followingOf } from './follow.ts';

const applied = 1_000_000;
const later = applied + 60_000;

for (const { says, type, asked, W, atMs = later, following } of [
  { says: 'charges as asked', type: 'battery', asked: 2000, W: 1950, following: 'follows' },
  { says: 'charges with what is left of its room', type: 'battery', asked: 2000, W: 300, following: 'less' },
  { says: 'is full', type: 'battery', asked: 2000, W: 0, following: 'less' },
  { says: 'discharges in place of charging', type: 'battery', asked: 2000, W: -500, following: 'differs' },
  { says: 'charges more than asked', type: 'battery', asked: 2000, W: 2500, following: 'differs' },
  { says: 'stands still', type: 'battery', asked: 0, W: 30, following: 'follows' },
  { says: 'is not idle', type: 'battery', asked: 0, W: -400, following: 'differs' },
  { says: 'gives back as asked', type: 'ev_charger_port', asked: -3000, W: -3100, following: 'follows' },
  { says: 'ramps up', type: 'battery', asked: 2000, W: 300, atMs: applied + 2000, following: 'settling' },
  { says: 'is there already', type: 'battery', asked: 2000, W: 2000, atMs: applied + 1, following: 'follows' },
  { says: 'was not read since', type: 'battery', asked: 2000, W: 2000, atMs: applied - 1, following: 'unknown' },
  { says: 'stays below what it is curtailed to', type: 'solar', asked: 1000, W: -200, following: 'follows' },
  { says: 'generates more than it is curtailed to', type: 'solar', asked: 1000, W: -1500, following: 'differs' },
] as const)
  test(`whether a device follows that ${says}`, () =>
    assert.equal(followingOf(type, asked, applied, { atMs, W }, later), following));

test('whether a device follows that says nothing', () =>
  assert.equal(followingOf('battery', 1, applied, undefined, later), 'unknown'));

test('whether a device follows that fell silent', () =>
  assert.equal(followingOf('battery', 2000, applied, { atMs: later, W: 2000 }, later + 61_000), 'silent'));
