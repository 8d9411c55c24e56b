import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClaim } from './claim.ts';

const time = '2026-06-01T12:00:00Z';

test('a claim names who, a nonce, when and which gateway', () => {
  assert.deepEqual(parseClaim(`idt-1|n|${time}|ohm-1`), {
    claimerId: 'idt-1',
    nonce: 'n',
    atMs: Date.parse(time),
    serial: 'ohm-1',
  });
});

for (const message of [
  '',
  `n|${time}|ohm-1`,
  `idt-1|n|${time}|`,
  `|n|${time}|ohm-1`,
  `idt-1||${time}|ohm-1`,
  'idt-1|n|soon|ohm-1',
  `idt-1|n|${time}|ohm-1|`,
  `idt-1|n|${time}|ohm-1|ohm-2`,
  `idt-1|idt-2|n|${time}|ohm-1`,
]) {
  test(`"${message}" is none`, () => assert.equal(parseClaim(message), undefined));
}
