import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { beatMs, type Marker, maxSilentMs, type ReleaseDeadlines, type ToWatchdog } from './watchdog-messages.ts';

export type Watchdog = ReturnType<typeof createWatchdog>;

export type WatchdogDeps = {
  /** the folder of the markers */
  folder: string;
  /** compile cache of the watchdog's program, which saves a third of its memory */
  cacheFolder: string;
  /** the watchdog could not be restarted */
  onUnwatched(): void;
  monotonic: Clock;
  log: Logger;
};

const program = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url));
const startMs = 20_000;
const idleMs = 600_000; // the watchdog exits, to free its memory, after this long without a device to watch
const maxFailedStarts = 3; // in a row

type Running = {
  child: ChildProcess;
  ready: Promise<void>;
  /** undefined until it is ready, for which `startMs` applies */
  heardAt: number | undefined;
  tickedAt: number;
};

/** Starts the watchdog process when it is needed, and restarts it when it dies. */
export function createWatchdog({ folder, cacheFolder, onUnwatched, monotonic, log }: WatchdogDeps) {
  const holds = new Map<string, Extract<ToWatchdog, { kind: 'hold' }>>();
  let running: Running | undefined;
  let beating: NodeJS.Timeout | undefined;
  let idling: NodeJS.Timeout | undefined;
  let failedStarts = 0;

  function start(): Running {
    const child = fork(program, [folder], {
      detached: true, // so that Ctrl-C does not reach it
      env: { NODE_COMPILE_CACHE: cacheFolder },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    const begun: Running = { child, ready: readiness(child), heardAt: undefined, tickedAt: monotonic.now() };
    child.on('message', () => {
      begun.heardAt = monotonic.now();
    });
    child.once('exit', (code, signal) => lost(begun, { code, signal }));
    child.on('error', (error) => {
      if (child.pid === undefined) lost(begun, { err: error }); // it did not start, so there is no 'exit'
    });
    begun.ready.then(
      () => {
        for (const hold of holds.values()) send(begun, hold);
        if (failedStarts > 0) log.info('watchdog running again');
        failedStarts = 0;
      },
      () => child.kill('SIGKILL'),
    );
    beating ??= setInterval(beat, beatMs).unref();
    return begun;
  }

  const readiness = (child: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error('The watchdog exited while starting.')));
      child.on('error', reject);
      setTimeout(() => reject(new Error(`The watchdog did not start within ${startMs / 1000} s.`)), startMs).unref();
    });

  function lost(which: Running, how: object): void {
    if (running !== which) return;
    running = undefined;
    if (holds.size === 0) return;
    log.error(how, 'watchdog exited while devices are under control');
    if (++failedStarts > maxFailedStarts) onUnwatched();
    else running = start();
  }

  /** Waits for the current process, or for the one that replaces it when it dies while starting. */
  async function untilReady(): Promise<void> {
    const ready = running?.ready;
    try {
      await ready;
    } catch (error) {
      if (!running || running.ready === ready) throw error;
      await untilReady();
    }
  }

  function send({ child }: Running, message: ToWatchdog): void {
    if (child.connected) child.send(message, () => {}); // 'exit' reports a process that is gone
  }

  function beat(): void {
    if (running?.heardAt === undefined) return;
    const now = monotonic.now();
    if (now - running.tickedAt > 2 * beatMs) running.heardAt = now; // this process was suspended, not the watchdog
    running.tickedAt = now;
    if (now - running.heardAt > maxSilentMs && holds.size > 0) {
      log.error('watchdog does not respond; restarting it');
      running.child.kill('SIGKILL');
    } else send(running, { kind: 'beat' });
  }

  function goIdle(): void {
    clearTimeout(idling);
    idling = setTimeout(() => {
      if (holds.size === 0) leave();
    }, idleMs).unref();
  }

  function leave(): void {
    const left = running;
    running = undefined;
    clearInterval(beating);
    beating = undefined;
    if (left?.child.connected) left.child.disconnect();
  }

  return {
    /** Returns when the watchdog runs; nothing may be written to a device before. */
    async hold(marker: Marker, deadlines: ReleaseDeadlines): Promise<void> {
      const hold = { kind: 'hold' as const, marker, deadlines };
      holds.set(marker.sn, hold);
      running ??= start();
      await untilReady();
      if (running) send(running, hold);
    },
    released(sn: string): void {
      holds.delete(sn);
      if (running) send(running, { kind: 'released', sn });
      if (holds.size === 0) goIdle();
    },
    /** Disconnects from the watchdog, which releases the devices still held and exits. */
    async close(): Promise<void> {
      clearTimeout(idling);
      const { child } = running ?? {};
      leave();
      if (child && holds.size === 0 && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
