import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Marker } from './marker.ts';
import { beatMs, type Ends, silentMs, type ToWatchdog } from './watchdog-messages.ts';

export type Watchdog = {
  /** Returns when the watchdog watches; without it nothing may be controlled. */
  hold(marker: Marker, ends: Ends): Promise<void>;
  released(sn: string): void;
  /** Leaves the watchdog to itself: it releases what is still held, and goes. */
  close(): Promise<void>;
};

export type WatchdogDeps = {
  /** of the markers */
  folder: string;
  /** where the program of the watchdog is kept compiled, which saves a third of its memory */
  cacheFolder: string;
  /** nobody watches any more */
  onUnwatched(): void;
  monotonic: Clock;
  log: Logger;
};

const program = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url));
const startMs = 20_000;
const idleMs = 600_000; // without anything to watch it goes, and its memory with it
const mostStarts = 3; // in a row, each of which came to nothing

type Running = {
  child: ChildProcess;
  ready: Promise<void>;
  /** undefined until it is ready, for which it has a time of its own */
  heardAt: number | undefined;
  tickedAt: number;
};

/** The gateway's side of the watchdog: starts it when it is needed, and again when it dies. */
export function createWatchdog({ folder, cacheFolder, onUnwatched, monotonic, log }: WatchdogDeps): Watchdog {
  const holds = new Map<string, Extract<ToWatchdog, { kind: 'hold' }>>();
  let running: Running | undefined;
  let beating: NodeJS.Timeout | undefined;
  let idling: NodeJS.Timeout | undefined;
  let fruitless = 0;

  function start(): Running {
    const child = fork(program, [folder], {
      detached: true, // a Ctrl-C is for the gateway
      env: { NODE_COMPILE_CACHE: cacheFolder },
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64', '--v8-pool-size=1'],
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
      if (child.pid === undefined) lost(begun, { err: error }); // it never was, and so never exits
    });
    begun.ready.then(
      () => {
        for (const hold of holds.values()) send(begun, hold);
        if (fruitless > 0) log.info('the watchdog watches again');
        fruitless = 0;
      },
      () => child.kill('SIGKILL'),
    );
    beating ??= setInterval(beat, beatMs).unref();
    return begun;
  }

  const readiness = (child: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error('The program that watches over control ended at once.')));
      child.on('error', reject);
      setTimeout(
        () => reject(new Error('The program that watches over control did not start in time.')),
        startMs,
      ).unref();
    });

  function lost(which: Running, how: object): void {
    if (running !== which) return;
    running = undefined;
    if (holds.size === 0) return;
    log.error(how, 'the watchdog died');
    if (++fruitless > mostStarts) onUnwatched();
    else running = start();
  }

  /** One that dies while it starts is followed by another, some times. */
  async function watches(): Promise<void> {
    const ready = running?.ready;
    try {
      await ready;
    } catch (error) {
      if (!running || running.ready === ready) throw error;
      await watches();
    }
  }

  function send({ child }: Running, message: ToWatchdog): void {
    if (child.connected) child.send(message, () => {}); // that it is gone is heard by its exit
  }

  function beat(): void {
    if (running?.heardAt === undefined) return;
    const now = monotonic.now();
    if (now - running.tickedAt > 2 * beatMs) running.heardAt = now; // it is we who stood still
    running.tickedAt = now;
    if (now - running.heardAt > silentMs && holds.size > 0) {
      log.error('the watchdog hangs and is started anew');
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
    async hold(marker, ends) {
      const hold = { kind: 'hold' as const, marker, ends };
      holds.set(marker.sn, hold);
      running ??= start();
      await watches();
      if (running) send(running, hold);
    },
    released(sn) {
      holds.delete(sn);
      if (running) send(running, { kind: 'released', sn });
      if (holds.size === 0) goIdle();
    },
    async close() {
      clearTimeout(idling);
      const { child } = running ?? {};
      leave();
      if (child && holds.size === 0 && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
