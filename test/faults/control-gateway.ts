import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithUs, hasEnded } from '../end-process.ts';
import { testEnvironment } from '../test-environment.ts';
import { until } from '../until.ts';
import type { GatewayOptions } from './control-process.ts';

const program = fileURLToPath(new URL('./control-process.ts', import.meta.url));

export type ControlGateway = {
  sn: string;
  /** kill -9 or a pause of the gateway or of its watchdog */
  signal(whom: 'gateway' | 'watchdog', signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** Returns when a new watchdog has replaced the killed one. */
  watchedAgain(): Promise<unknown>;
  ended: Promise<unknown>;
};

/** Starts a gateway with one device in a process of its own; resolves when it is ready. */
export async function startControlGateway(options: GatewayOptions): Promise<ControlGateway> {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, ...testEnvironment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  child.stderr!.on('data', (text: Buffer) => {
    lines.push(String(text));
    if (lines.length > 200) lines.shift();
  });
  endWithUs(child);
  const ended = once(child, 'exit');
  const [message] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`The gateway ended before it was ready.\n${lines.join('')}`))),
  ]);
  return {
    sn: (message as { sn: string }).sn,
    ended,
    isRunning: () => !hasEnded(child),
    watchedAgain: () => until(() => lines.join('').includes('watchdog running again')),
    signal(whom, signal) {
      if (whom === 'gateway') return void child.kill(signal);
      const pid = watchdogOf(child.pid!);
      if (pid !== undefined) process.kill(pid, signal);
    },
  };
}

/** Finds the child process of the gateway that runs the watchdog. */
function watchdogOf(parent: number): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => isChildOf(pid, parent) && textOf(`/proc/${pid}/cmdline`).includes('watchdog-process'));
}

const isChildOf = (pid: number, parent: number): boolean =>
  Number(
    textOf(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  ) === parent;

/** Empty when the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
