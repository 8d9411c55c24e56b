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
    { says: 'what is there once is clean', stored: [1, 2] },
    { says: 'what was meant and not acknowledged may be there', stored: [1, 2, 3] },
    { says: 'what was acknowledged and is not there is lost', stored: [1, 3], lost: 1 },
    { says: 'what is there again is there twice', stored: [1, 2, 2], twice: 1 },
    { says: 'what nobody meant is a phantom', stored: [1, 2, 9], phantom: 1 },
    { says: 'what is there behind a later one is out of order', stored: [2, 1, 3], reordered: 1 },
  ]) {
    test(says, () => {
      const verdict = ledgerOf([1, 2, 3], [1, 2]).check(new Map([['a', stored]]));
      const clean = { lost: 0, twice: 0, phantom: 0, reordered: 0 };
      assert.deepEqual(verdict, { acknowledged: 2, stored: stored.length, ...clean, ...wrong });
      assert.equal(isClean(verdict), Object.keys(wrong).length === 0);
    });
  }

  test('a DER of which nothing is stored has lost everything, and one that nobody knows is a phantom', () => {
    const { lost, phantom } = ledgerOf([1, 2], [1, 2]).check(new Map([['b', [1]]]));
    assert.deepEqual({ lost, phantom }, { lost: 2, phantom: 1 });
  });

  test('an acknowledgement that comes twice is one', () => {
    assert.equal(ledgerOf([1], [1, 1]).acknowledged(), 1);
  });
});
