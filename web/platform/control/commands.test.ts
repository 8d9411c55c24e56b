import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, CommandStatus } from '#contract/cloud/commands.ts';
import { commandState, isConfirmed, mergeCommand, trackingOf } from './commands.ts';

const applied = 1_000_000;
const later = applied + 60_000;

for (const { says, type, asked, W, atMs = later, tracking } of [
  { says: 'charges at the setpoint', type: 'battery', asked: 2000, W: 1950, tracking: 'follows' },
  { says: 'charges below the setpoint', type: 'battery', asked: 2000, W: 300, tracking: 'less' },
  { says: 'is full', type: 'battery', asked: 2000, W: 0, tracking: 'less' },
  { says: 'discharges instead of charging', type: 'battery', asked: 2000, W: -500, tracking: 'differs' },
  { says: 'charges above the setpoint', type: 'battery', asked: 2000, W: 2500, tracking: 'differs' },
  { says: 'is idle', type: 'battery', asked: 0, W: 30, tracking: 'follows' },
  { says: 'is not idle', type: 'battery', asked: 0, W: -400, tracking: 'differs' },
  { says: 'discharges at the setpoint', type: 'ev_charger_port', asked: -3000, W: -3100, tracking: 'follows' },
  { says: 'ramps up', type: 'battery', asked: 2000, W: 300, atMs: applied + 2000, tracking: 'settling' },
  {
    says: 'reaches the setpoint at once',
    type: 'battery',
    asked: 2000,
    W: 2000,
    atMs: applied + 1,
    tracking: 'follows',
  },
  {
    says: 'has no reading since the command',
    type: 'battery',
    asked: 2000,
    W: 2000,
    atMs: applied - 1,
    tracking: 'unknown',
  },
  { says: 'stays below its limit', type: 'solar', asked: 1000, W: -200, tracking: 'follows' },
  { says: 'generates above its limit', type: 'solar', asked: 1000, W: -1500, tracking: 'differs' },
] as const)
  test(`tracking of a device that ${says}`, () =>
    assert.equal(trackingOf(type, asked, applied, { atMs, W }, later), tracking));

test('tracking of a device without readings', () =>
  assert.equal(trackingOf('battery', 1, applied, undefined, later), 'unknown'));

test('tracking of a device with an old reading', () =>
  assert.equal(trackingOf('battery', 2000, applied, { atMs: later, W: 2000 }, later + 61_000), 'silent'));

const at = '2026-06-01T12:00:00.000Z';
const atMs = Date.parse(at);

const command = (id: string, ...statuses: CommandStatus[]): Command => ({
  id,
  der_id: 'battery',
  power_w: 1000,
  ttl_s: 300,
  status: statuses.at(-1)!,
  created_at: at,
  expires_at: at,
  history: statuses.map((status) => ({ status, at })),
});

const listed = (...commands: Command[]): readonly Command[] => commands.reduce<readonly Command[]>(mergeCommand, []);

test('commands are sorted newest first, in whatever order they arrive', () => {
  const list = listed(command('2', 'queued'), { ...command('3', 'queued'), der_id: 'solar' }, command('1', 'queued'));
  assert.deepEqual(
    list.map(({ id }) => id),
    ['3', '2', '1'],
  );
});

test('a late response does not overwrite a newer event', () => {
  const [shown] = listed(command('1', 'queued', 'sent', 'applied'), command('1', 'queued'));
  assert.equal(shown?.status, 'applied');
  assert.equal(listed(command('1', 'queued'), command('1', 'queued', 'sent')).length, 1);
});

test('a command counts as control when its gateway has confirmed it, and until it ends', () => {
  const sent = command('2', 'queued', 'sent');
  assert.equal(isConfirmed([sent], 'battery'), false);
  assert.equal(isConfirmed([sent, command('1', 'queued', 'sent', 'applied')], 'battery'), true);
  assert.equal(isConfirmed([command('1', 'queued', 'sent', 'applied', 'expired')], 'battery'), false);
  assert.equal(isConfirmed([{ ...command('1', 'queued', 'sent', 'applied'), der_id: 'solar' }], 'battery'), false);
});

test('an ended command is shown for ten minutes beside the active one', () => {
  const holds = command('1', 'queued', 'sent', 'applied');
  const refused = command('2', 'queued', 'sent', 'failed');
  const other = { ...command('3', 'queued', 'sent', 'applied'), der_id: 'solar' };
  const stateOf = (nowMs: number, ...list: Command[]) => commandState([other, ...list], 'battery', nowMs);
  assert.deepEqual(stateOf(atMs + 1000, refused, holds), { active: holds, ended: refused });
  assert.deepEqual(stateOf(atMs + 600_000, refused, holds), { active: holds, ended: undefined });
  assert.deepEqual(stateOf(atMs, holds), { active: holds, ended: undefined });
  assert.deepEqual(stateOf(atMs), { active: undefined, ended: undefined });
});
