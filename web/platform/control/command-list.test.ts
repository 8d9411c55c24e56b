import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, CommandStatus } from '#contract/cloud/commands.ts';
import { type CommandLists, newestOf, standingOf, withCommand } from './command-list.ts';

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
  commands.reduce<CommandLists>((lists, each) => withCommand(lists, each), new Map());
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
  assert.deepEqual(standingOf([refused, holds], atMs + 1000), { held: holds, ended: refused });
  assert.deepEqual(standingOf([refused, holds], atMs + 600_000), { held: holds, ended: undefined });
  assert.deepEqual(standingOf([holds], atMs), { held: holds, ended: undefined });
  assert.deepEqual(standingOf([], atMs), { held: undefined, ended: undefined });
});

test('those of several DERs stand together, as many as are wanted', () => {
  const lists = listed(command('1', 'queued'), { ...command('2', 'queued'), der_id: 'solar' }, command('3', 'queued'));
  assert.deepEqual(
    newestOf(lists, 2).map(({ id }) => id),
    ['3', '2'],
  );
});
