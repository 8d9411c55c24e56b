import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { end } from '#test/end-process.ts';
import { root } from '#test/source-files.ts';
import { memoryOf } from '../measure/process-memory.ts';

/** The arguments of `node`. */
export type Program = { args: string[]; env?: Record<string, string> };

export type RunningProgram = AsyncDisposable & {
  /** Waits for text on standard output. */
  says(words: RegExp): Promise<string>;
  /** Waits until the server whose address it prints answers 200 to GET /health. */
  answers(): Promise<void>;
  cpuMs(): number;
  memoryMb(): number;
};

const patienceMs = 30_000;

export function spawnProgram({ args, env = {} }: Program): RunningProgram {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const signal = AbortSignal.timeout(patienceMs);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });

  async function says(words: RegExp): Promise<string> {
    for (;;) {
      const found = words.exec(output);
      if (found) return found[0];
      if (child.stdout.readableEnded) throw new Error(`${args.join(' ')} did not say ${words}: ${output}`);
      await once(child.stdout, 'data', { signal });
    }
  }

  async function answers(): Promise<void> {
    const url = (await says(/http:\/\/[\w.]+:\d+/)).replace('localhost', '127.0.0.1');
    while (!(await fetch(`${url}/health`, { signal })).ok) await sleep(1);
  }

  return {
    says,
    answers,
    cpuMs: () => cpuMs(child.pid!),
    memoryMb: () => memoryOf(child.pid!).memoryMb,
    [Symbol.asyncDispose]: () => end(child),
  };
}

const tickMs = 10; // Linux counts in hundredths of a second

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may hold spaces
  const [user, system] = fields.slice(11, 13).map(Number);
  return (user! + system!) * tickMs;
}
