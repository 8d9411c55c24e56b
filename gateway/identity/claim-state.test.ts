import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { createKeptLog } from '#test/gateway/open-local.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openClaimState, releasedAfterMs } from './claim-state.ts';

suite('a gateway', () => {
  test('is claimed from the first message of the platform, also after a restart', async (t) => {
    const dataDir = temporaryFolder(t);
    const clock = createFakeClock(0);
    const { log } = createKeptLog();
    const claim = await openClaimState(dataDir, clock, log);
    claim.refused();
    assert.equal(claim.isClaimed(), false);
    claim.heard();
    assert.equal(claim.isClaimed(), true);
    await until(async () => (await readdir(dataDir)).includes('claimed.json'));
    assert.equal((await openClaimState(dataDir, clock, log)).isClaimed(), true);
  });

  test('is released when its key was refused for an hour without interruption', async (t) => {
    const dataDir = temporaryFolder(t);
    const clock = createFakeClock(0);
    const { log } = createKeptLog();
    const claim = await openClaimState(dataDir, clock, log);
    claim.heard();
    claim.refused();
    clock.advance(releasedAfterMs - 1);
    claim.refused();
    assert.equal(claim.isClaimed(), true);
    claim.heard(); // the platform was down
    clock.advance(releasedAfterMs);
    claim.refused();
    assert.equal(claim.isClaimed(), true);
    clock.advance(releasedAfterMs);
    claim.refused();
    assert.equal(claim.isClaimed(), false);
    await until(async () => !(await readdir(dataDir)).includes('claimed.json'));
  });

  test('with a damaged state is not claimed until the platform is heard again, and logs it', async (t) => {
    const dataDir = temporaryFolder(t);
    await writeFile(join(dataDir, 'claimed.json'), '{');
    const { log, lines } = createKeptLog();
    const claim = await openClaimState(dataDir, createFakeClock(0), log);
    assert.equal(claim.isClaimed(), false);
    assert.ok(lines.some((line) => line.includes('was damaged')));
  });
});
