import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '#test/source-files.ts';

/** What follows `node` on the command line. */
export type Program = { args: string[]; env?: Record<string, string> };

export type RunningProgram = AsyncDisposable & {
  pid: number;
  /** Waits for words on standard output. */
  says(words: RegExp): Promise<string>;
  /** Waits until the server whose address it prints answers 200 to GET /health. */
  answers(): Promise<void>;
};

const patienceMs = 30_000;

export function spawnProgram({ args, env = {} }: Program): RunningProgram {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
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
    pid: child.pid!,
    says,
    answers,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
