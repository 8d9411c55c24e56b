import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import type { GatewayOptions } from './control-process.ts';

const program = fileURLToPath(new URL('./control-process.ts', import.meta.url));

const running = new Set<number>();
process.on('exit', () => running.forEach(killQuietly));

export type ControlGateway = {
  sn: string;
  /** kill -9, or a pause, of the gateway or of its watchdog */
  signal(whom: 'gateway' | 'watchdog', signal: NodeJS.Signals): void;
  isRunning(): boolean;
  ended: Promise<unknown>;
};

/** A gateway with one device in a process of its own, ready when this resolves. */
export async function startControlGateway(options: GatewayOptions): Promise<ControlGateway> {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  child.stderr!.on('data', (text: Buffer) => {
    lines.push(String(text));
    if (lines.length > 200) lines.shift();
  });
  running.add(child.pid!);
  const ended = once(child, 'exit').then(() => running.delete(child.pid!));
  const [message] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`The gateway ended before it was ready.\n${lines.join('')}`))),
  ]);
  return {
    sn: (message as { sn: string }).sn,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal(whom, signal) {
      const pid = whom === 'gateway' ? pidOf(child) : watchdogOf(child.pid!);
      if (pid !== undefined) process.kill(pid, signal);
    },
  };
}

const pidOf = ({ pid, exitCode, signalCode }: ChildProcess): number | undefined =>
  exitCode === null && signalCode === null ? pid : undefined;

/** The child of the gateway that runs the program of the watchdog. */
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

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended by itself
  }
}
