import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeClaim, isTimely, parseClaim } from './claim.ts';

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
  test(`"${message}" is not a claim`, () => assert.equal(parseClaim(message), undefined));
}

test('composing and parsing are inverse, and a message without a claimer is not a claim', () => {
  const rest = { nonce: 'n', timestamp: time, serial: 'ohm-1' };
  assert.equal(composeClaim({ claimerId: 'idt-1', ...rest }), `idt-1|n|${time}|ohm-1`);
  assert.equal(composeClaim(rest), `n|${time}|ohm-1`);
});

for (const { awayMs, is } of [
  { awayMs: 0, is: true },
  { awayMs: 600_000, is: true },
  { awayMs: -600_000, is: true },
  { awayMs: 600_001, is: false },
  { awayMs: -600_001, is: false },
]) {
  test(`${awayMs} ms away it is ${is ? '' : 'not '}timely`, () => {
    assert.equal(isTimely(Date.parse(time) + awayMs, Date.parse(time)), is);
  });
}
