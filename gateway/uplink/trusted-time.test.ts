import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { minuteMs } from '#contract/time.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createTwoClocks } from './outbox/testing/trial.ts';
import { createKnownTime } from './trusted-time.ts';

/** A machine that has just started, with systemd-timesyncd unless told. */
async function startMachine(t: TestContext, { hasTimesync = true } = {}) {
  const folder = temporaryFolder(t);
  const [timesync, hardwareClock] = [join(folder, 'timesync'), join(folder, 'since_epoch')];
  if (hasTimesync) await mkdir(timesync);
  const clocks = createTwoClocks();
  return {
    clocks,
    isKnown: createKnownTime(clocks, { timesync, hardwareClock }),
    synchronize: () => writeFile(join(timesync, 'synchronized'), ''),
    setHardwareClock: (ms: number) => writeFile(hardwareClock, `${Math.floor(ms / 1000)}\n`),
  };
}

suite('the time after a start', () => {
  test('is confirmed once NTP has synchronised', async (t) => {
    const { isKnown, clocks, synchronize } = await startMachine(t);
    clocks.advance(minuteMs);
    assert.equal(isKnown(), false);
    await synchronize();
    assert.equal(isKnown(), true);
  });

  test('is accepted after ten minutes without NTP', async (t) => {
    const { isKnown, clocks } = await startMachine(t);
    clocks.advance(10 * minuteMs - 2000);
    assert.equal(isKnown(), false);
    clocks.advance(1000);
    assert.equal(isKnown(), true);
  });

  test('is accepted where no NTP client runs', async (t) => {
    const { isKnown } = await startMachine(t, { hasTimesync: false });
    assert.equal(isKnown(), true);
  });

  test('is confirmed by a hardware clock with a battery', async (t) => {
    const { isKnown, clocks, setHardwareClock } = await startMachine(t);
    await setHardwareClock(clocks.clock.now() + 2000);
    assert.equal(isKnown(), true);
  });

  test('is not confirmed by a hardware clock that was reset', async (t) => {
    const { isKnown, clocks, setHardwareClock } = await startMachine(t);
    await setHardwareClock(20_000);
    assert.equal(isKnown(), false);
    clocks.set(20_000); // neither does anybody who has asked it
    assert.equal(isKnown(), false);
  });
});
