import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isClean } from '#sim/fleet/ledger.ts';
import { postgresMissing } from '../services/postgres.ts';
import { killUnderLoad } from './kill-loop.ts';
import { everything, postgresOfPlatform } from './victims.ts';

suite('PostgreSQL', { skip: postgresMissing() }, () => {
  test('that is killed repeatedly has everything the platform acknowledged, and the platform recovers', async () => {
    const verdict = await killUnderLoad(await postgresOfPlatform(), 3);
    console.log('3 kills of PostgreSQL', verdict);
    assert.ok(verdict.acknowledged > 500, 'enough was tried');
    assert.ok(isClean(verdict));
  });

  test('and the platform, killed at once, recover in any order with everything that was acknowledged', async () => {
    const verdict = await killUnderLoad(await everything(), 3);
    console.log('3 kills of everything', verdict);
    assert.ok(verdict.acknowledged > 500, 'enough was tried');
    assert.ok(isClean(verdict));
  });
});
