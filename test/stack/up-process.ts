import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import type { StackState } from '#stack/state-file.ts';
import { type Outcome, spawnCli } from '../../cli/testing/child-process.ts';
import { waitedForProcessorMs } from '../waited-for-processor.ts';

export const anyPorts: Record<string, string> = { CLOUD_PORT: '0', GATEWAY_PORT: '0', MQTT_PORT: '0' };

export type SimulatedState = Required<StackState>;

export type Up = {
  state: SimulatedState;
  /** its output until it was ready */
  said: string;
  /** without the time that other processes had the processor */
  readyMs: number;
  stop(signal?: NodeJS.Signals): Promise<Outcome & { tookMs: number }>;
};

/** Runs `ohmstead up` on this folder until the test ends, on free ports unless given. */
export async function startUp(
  t: Pick<TestContext, 'after'>,
  data: string,
  args: string[] = [],
  env = anyPorts,
): Promise<Up> {
  const began = performance.now();
  const { child, outcome } = spawnCli(['up', '--data', data, ...args], env);
  let isOver = false;
  t.after(() => {
    isOver = true;
    child.kill('SIGKILL');
  });
  const errors: string[] = [];
  child.stderr?.on('data', (text: string) => errors.push(text));
  // Not when its output ends: the watchdog may keep that open for as long as it waits for simulated devices that ended, too.
  child.once('exit', (code, signal) => {
    if (!isOver) console.error(`ohmstead up ended by itself (${signal ?? code}). ${errors.join('')}`);
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line);
    if (line.startsWith('ready ')) break;
  }
  if (!lines.at(-1)?.startsWith('ready ')) throw new Error(`${lines.join('\n')}\n${(await outcome).err}`);
  const readyMs = performance.now() - began - waitedForProcessorMs(child.pid!);
  child.stdout!.resume();
  const state = JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8')) as SimulatedState;
  return {
    state,
    said: lines.join('\n'),
    readyMs,
    async stop(signal = 'SIGTERM') {
      const asked = performance.now();
      isOver = true;
      child.kill(signal);
      return { ...(await outcome), tookMs: performance.now() - asked };
    },
  };
}

/** Starts `ohmstead up`, and kills it as soon as this is true. */
export async function breakOff(data: string, args: string[], isSo: () => boolean): Promise<void> {
  const { child, outcome } = spawnCli(['up', '--data', data, ...args], anyPorts);
  const ended = outcome.then(({ err }) => {
    if (child.signalCode !== 'SIGKILL') throw new Error(`It ended by itself. ${err}`);
  });
  const timer = setInterval(() => isSo() && child.kill('SIGKILL'), 1);
  await ended.finally(() => clearInterval(timer));
}

/** Processes with this folder in their arguments. */
export function processesOn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // it has ended meanwhile
      }
    })
    .filter((line) => line.includes(folder));
}
