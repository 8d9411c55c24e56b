import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLedger, isClean } from './ledger.ts';

function ledgerOf(intended: number[], acknowledged: number[]) {
  const ledger = createLedger();
  for (const at of intended) ledger.intend({ der: 'a', at });
  for (const at of acknowledged) ledger.acknowledge({ der: 'a', at });
  return ledger;
}

suite('a ledger', () => {
  for (const { says, stored, ...wrong } of [
    { says: 'a reading stored once is clean', stored: [1, 2] },
    { says: 'an unacknowledged reading may be stored', stored: [1, 2, 3] },
    { says: 'an acknowledged reading that is not stored is lost', stored: [1, 3], lost: 1 },
    { says: 'a reading stored twice is a duplicate', stored: [1, 2, 2], twice: 1 },
    { says: 'a stored reading that was never intended is a phantom', stored: [1, 2, 9], phantom: 1 },
    { says: 'a reading stored after a later one is out of order', stored: [2, 1, 3], reordered: 1 },
  ]) {
    test(says, () => {
      const verdict = ledgerOf([1, 2, 3], [1, 2]).check(new Map([['a', stored]]));
      const clean = { lost: 0, twice: 0, phantom: 0, reordered: 0 };
      assert.deepEqual(verdict, { acknowledged: 2, stored: stored.length, ...clean, ...wrong });
      assert.equal(isClean(verdict), Object.keys(wrong).length === 0);
    });
  }

  test('a DER without stored readings has lost all of them, and readings of an unknown DER are phantoms', () => {
    const { lost, phantom } = ledgerOf([1, 2], [1, 2]).check(new Map([['b', [1]]]));
    assert.deepEqual({ lost, phantom }, { lost: 2, phantom: 1 });
  });

  test('a repeated acknowledgement counts once', () => {
    assert.equal(ledgerOf([1], [1, 1]).acknowledged(), 1);
  });
});
