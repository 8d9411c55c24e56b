import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { createWatchdog } from './watchdog.ts';
import type { Marker } from './watchdog-messages.ts';
import { beatMs, maxSilentMs } from './watchdog-messages.ts';

const marker: Marker = {
  id: 'a',
  sn: 'S1',
  profile: 'sungrow',
  place: { kind: 'modbus', endpoint: { host: '127.0.0.1', port: 1 }, unitId: 1, connectDelayMs: 0 },
  parts: ['battery'],
  facts: {},
  since: 0,
  until: 0,
};

/** Creates a watchdog on a machine that can be made unable to start processes. */
function watch(t: TestContext) {
  const folder = temporaryFolder(t);
  const children: ChildProcess[] = [];
  const see = (message: unknown): void => void children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', see);
  const { execPath } = process;
  const seen = { unwatched: 0 };
  const watchdog = createWatchdog({
    folder,
    cacheFolder: join(folder, 'cache'),
    onUnwatched: () => void seen.unwatched++,
    monotonic: monotonicClock,
    log: createLog({ level: 'silent', name: 'test' }),
  });
  const recover = (): void => {
    process.execPath = execPath;
  };
  t.after(async () => {
    recover();
    unsubscribe('child_process', see);
    watchdog.released(marker.sn);
    await watchdog.close();
  });
  return {
    watchdog,
    seen,
    children,
    recover,
    breakDown: () => {
      process.execPath = join(folder, 'no such program');
    },
  };
}

test('the next command starts a watchdog that could not be started before', async (t) => {
  const { watchdog, seen, breakDown, recover } = watch(t);
  breakDown();
  await assert.rejects(watchdog.hold(marker, {}), { code: 'ENOENT' });
  await until(() => seen.unwatched === 1);
  watchdog.released(marker.sn);
  recover();
  await watchdog.hold(marker, {});
});

test('a watchdog that dies and cannot be restarted is reported', async (t) => {
  const { watchdog, seen, children, breakDown } = watch(t);
  await watchdog.hold(marker, {});
  breakDown();
  children.at(-1)!.kill('SIGKILL');
  await until(() => seen.unwatched === 1);
});

test('a starting watchdog gets more time than a running one', async (t) => {
  const { watchdog, children } = watch(t);
  const watching = watchdog.hold(marker, {});
  const [child] = children as [ChildProcess];
  child.kill('SIGSTOP');
  await sleep(maxSilentMs + 2 * beatMs);
  child.kill('SIGCONT');
  await watching;
  assert.equal(children.length, 1);
});

test('a watchdog that dies while starting is replaced', async (t) => {
  const { watchdog, seen, children } = watch(t);
  const watching = watchdog.hold(marker, {});
  children[0]!.kill('SIGKILL');
  await watching;
  assert.deepEqual([children.length, seen.unwatched], [2, 0]);
});
