import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import type { Command } from './command.ts';
import { createRefusals } from './control.ts';

const command: Command = { subject: 'battery', power_w: 3000, id: undefined, origin: 'local', issuedAt: 0, endsAt: 0 };

test('a failed local command is listed until the next local command', () => {
  const refusals = createRefusals(createFakeClock(1000));
  refusals.note('S1', command, { status: 'queued' });
  refusals.note('S1', command, { status: 'failed', message: 'The device refused it.' });
  refusals.note('S1', command, { status: 'released' });
  refusals.note('S2', { ...command, origin: 'cloud' }, { status: 'failed', message: 'Reported to the platform only.' });
  assert.deepEqual(refusals.list(), [
    { sn: 'S1', subject: 'battery', power_w: 3000, message: 'The device refused it.', at: 1000 },
  ]);
  refusals.note('S1', command, { status: 'queued' });
  assert.deepEqual(refusals.list(), []);
});
