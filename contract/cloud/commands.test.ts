import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandStatus, heldCommand } from './commands.ts';

const at = '2026-06-01T12:00:00Z';
const command = (...statuses: CommandStatus[]) => ({
  status: statuses.at(-1)!,
  history: statuses.map((status) => ({ status, at })),
});

const waiting = command('queued', 'sent');
const applied = command('queued', 'sent', 'applied');
const failed = command('queued', 'sent', 'failed');
const missed = command('queued', 'sent', 'expired');
const over = command('queued', 'sent', 'applied', 'expired', 'released');

for (const { says, newestFirst, held } of [
  { says: 'nothing was commanded', newestFirst: [], held: undefined },
  { says: 'the newest is under way', newestFirst: [waiting, applied], held: waiting },
  { says: 'the newest is followed', newestFirst: [applied, applied], held: applied },
  {
    says: 'the newest was refused, and the one before is still followed',
    newestFirst: [failed, applied],
    held: applied,
  },
  { says: 'the newest came too late', newestFirst: [missed, over], held: undefined },
  { says: 'the newest is over and had replaced the one before', newestFirst: [over, applied], held: undefined },
])
  test(`what holds a DER when ${says}`, () => assert.equal(heldCommand(newestFirst), held));
