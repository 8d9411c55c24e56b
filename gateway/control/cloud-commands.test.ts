import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCloudCommand } from './cloud-commands.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const read = (said: unknown) =>
  parseCloudCommand(Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)), {
    now,
    leaseS: 300,
    topic: 'control/ohm-1/battery/x/ems/commands',
  });

function readCommand(said: unknown) {
  const command = read(said);
  assert.ok('remainingMs' in command);
  return command;
}

for (const { says, said, remainingMs, issuedAt = now } of [
  { says: 'holds for the default lease', said: { power_w: 5 }, remainingMs: 300_000 },
  { says: 'holds for its own ttl_s', said: { power_w: 5, ttl_s: 60 }, remainingMs: 60_000 },
  {
    says: 'counts its lease from when it was issued',
    said: { power_w: 5, ttl_s: 60, timestamp: now - 20_000 },
    remainingMs: 40_000,
    issuedAt: now - 20_000,
  },
  {
    says: 'accepts times as text or in seconds',
    said: { power_w: 5, ttl_s: 60, issued_at: '2026-06-01T11:59:50Z', expires_at: now / 1000 + 30 },
    remainingMs: 30_000,
    issuedAt: now - 10_000,
  },
  {
    says: 'from a clock that is ahead does not hold longer',
    said: { power_w: 5, ttl_s: 60, timestamp: now + 30_000 },
    remainingMs: 60_000,
    issuedAt: now + 30_000,
  },
  {
    says: 'that is too old has no time left',
    said: { power_w: 5, ttl_s: 60, timestamp: now - 61_000 },
    remainingMs: -1000,
    issuedAt: now - 61_000,
  },
]) {
  test(`a command ${says}`, () => {
    const command = readCommand(said);
    assert.deepEqual([command.power_w, command.remainingMs, command.issuedAt], [5, remainingMs, issuedAt]);
  });
}

for (const said of [
  'no JSON',
  '[]',
  'null',
  '{"power_w": 1e999}',
  { ttl_s: 5 },
  { power_w: '5' },
  { power_w: null },
  { power_w: 5, ttl_s: 0 },
  { power_w: 5, ttl_s: 3601 },
  { power_w: 5, ttl_s: '60' },
  { power_w: 5, timestamp: 'yesterday' },
  { power_w: 5, expires_at: {} },
  { power_w: 5, timestamp: now + 601_000 },
  { power_w: 5, command_id: 7 },
  { power_w: 5, command_id: 'x'.repeat(129) },
  { power_w: 5, filler: 'x'.repeat(5000) },
  { power_w: 5, action: 'dance' },
  { action: 'release', timestamp: now + 601_000 },
  { action: 'release', timestamp: 'yesterday' },
])
  test(`${JSON.stringify(said).slice(0, 60)} is refused`, () => assert.ok('refused' in read(said)));

test('a release needs no power and applies to commands issued before it', () => {
  assert.deepEqual(read({ action: 'release', timestamp: now - 5 }), { releasedAt: now - 5 });
  assert.deepEqual(read({ action: 'release', power_w: 5, ttl_s: 1 }), { releasedAt: now });
});

test('a repeated message without an id is recognised by its time', () => {
  const once = readCommand({ power_w: 5, timestamp: now - 5 });
  assert.equal(readCommand({ power_w: 5, timestamp: now - 5 }).id, once.id);
  assert.notEqual(readCommand({ power_w: 5, timestamp: now - 4 }).id, once.id);
  assert.equal(readCommand({ power_w: 5 }).id, undefined);
});

test('any input is a command with valid numbers, a release or a refusal', () => {
  const fields = fc.constantFrom('action', 'power_w', 'ttl_s', 'command_id', 'timestamp', 'issued_at', 'expires_at');
  const values = fc.oneof(
    fc.double(),
    fc.string(),
    fc.constant(null),
    fc.integer(),
    fc.constant(now),
    fc.constant('release'),
    fc.object(),
  );
  fc.assert(
    fc.property(fc.dictionary(fields, values), (said) => {
      const command = read(said);
      if ('refused' in command) return;
      if ('releasedAt' in command) return assert.ok(command.releasedAt <= now + 600_000);
      assert.ok(
        Number.isFinite(command.power_w) && command.remainingMs <= 3_600_000 && command.issuedAt <= now + 600_000,
      );
    }),
  );
});
