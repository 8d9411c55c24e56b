import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '#test/test-environment.ts';

// For tests: runs the program in a child process, as users do.

const program = fileURLToPath(new URL('../main.js', import.meta.url));

export type Outcome = { code: number | null; out: string; err: string };

type Env = Record<string, string>;

export function spawnCli(args: readonly string[], env: Env = {}): { child: ChildProcess; outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...programEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const outcome = once(child, 'close').then(([code]): Outcome => ({ code: code as number | null, ...said }));
  return { child, outcome };
}

export const runCli = (args: readonly string[], env?: Env): Promise<Outcome> => spawnCli(args, env).outcome;

/** Runs `ohmstead cloud` on any free port until the test ends. */
export async function runCloud(t: TestContext, env: Env): Promise<{ url: string; stop(): Promise<Outcome> }> {
  const { child, outcome } = spawnCli(['cloud'], { CLOUD_PORT: '0', ...env });
  t.after(() => child.kill('SIGKILL'));
  const started = (async () => {
    for await (const line of createInterface(child.stdout!)) {
      const { msg, url } = JSON.parse(line) as { msg: string; url: string };
      if (msg === 'cloud started') return url;
    }
    throw new Error((await outcome).err);
  })();
  return {
    url: await started,
    stop() {
      child.kill('SIGTERM');
      return outcome;
    },
  };
}
