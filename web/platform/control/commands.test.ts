import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, CommandStatus } from '#contract/cloud/commands.ts';
import { type CommandLists, commandState, mergeCommand, newestCommands, trackingOf } from './commands.ts';

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
    assert.equal(trackingOf(type, asked, applied, { atMs, W }, later), following));

test('whether a device follows that says nothing', () =>
  assert.equal(trackingOf('battery', 1, applied, undefined, later), 'unknown'));

test('whether a device follows that fell silent', () =>
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

const listed = (...commands: Command[]): CommandLists =>
  commands.reduce<CommandLists>((lists, each) => mergeCommand(lists, each), new Map());
const ids = (lists: CommandLists): string[] => lists.get('battery')!.map(({ id }) => id);

test('commands stand newest first, in whatever order they are heard of', () => {
  assert.deepEqual(ids(listed(command('2', 'queued'), command('3', 'queued'), command('1', 'queued'))), [
    '3',
    '2',
    '1',
  ]);
});

test('an answer that comes after the event it precedes takes nothing back', () => {
  const lists = listed(command('1', 'queued', 'sent', 'applied'), command('1', 'queued'));
  assert.equal(lists.get('battery')![0]!.status, 'applied');
  assert.equal(listed(command('1', 'queued'), command('1', 'queued', 'sent')).get('battery')!.length, 1);
});

test('a command that ended is told for ten minutes beside the one that holds', () => {
  const holds = command('1', 'queued', 'sent', 'applied');
  const refused = command('2', 'queued', 'sent', 'failed');
  assert.deepEqual(commandState([refused, holds], atMs + 1000), { held: holds, ended: refused });
  assert.deepEqual(commandState([refused, holds], atMs + 600_000), { held: holds, ended: undefined });
  assert.deepEqual(commandState([holds], atMs), { held: holds, ended: undefined });
  assert.deepEqual(commandState([], atMs), { held: undefined, ended: undefined });
});

test('those of several DERs stand together, as many as are wanted', () => {
  const lists = listed(command('1', 'queued'), { ...command('2', 'queued'), der_id: 'solar' }, command('3', 'queued'));
  assert.deepEqual(
    newestCommands(lists, 2).map(({ id }) => id),
    ['3', '2'],
  );
});
