import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { root } from './source-files.ts';

const stopping = new AbortController();
const running = new Set<ChildProcess>();

export const interrupted = (): boolean => stopping.signal.aborted;

/** Asks the running steps to end; asked again, ends them. */
export function endSteps(): void {
  const signal = interrupted() ? 'SIGKILL' : 'SIGTERM';
  stopping.abort();
  for (const { pid } of running) if (pid) process.kill(-pid, signal);
}

/** Runs a command to its end and says how it went in one line. Its output is shown as it comes, or only if it fails. */
export async function step(
  headline: string,
  [program = '', ...args]: string[],
  { show = false, env = {} }: { show?: boolean; env?: Record<string, string> } = {},
): Promise<boolean> {
  if (interrupted()) return false;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env, PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    detached: true, // a process group of its own, so that ending it ends its children too
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  if (code !== 0) process.stdout.write(output);
  console.log(`${code === 0 ? '✔' : '✖'} ${headline} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return code === 0;
}
