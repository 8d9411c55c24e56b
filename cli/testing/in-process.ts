import { Readable, Writable } from 'node:stream';
import type { Shell } from '../line/command.ts';
import { runCommandLine, version } from '../program.ts';
import type { Outcome } from './child-process.ts';

// For tests: runs command lines in the process of the test, which is much faster than a child process.

type Env = Record<string, string>;

/** Opens a shell without a terminal, and captures its output. */
export function openShell(
  env: Env = {},
  stdin: string | Buffer = '',
): { shell: Shell; output: { out: string; err: string } } {
  const output = { out: '', err: '' };
  const capture = (name: keyof typeof output): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        output[name] += chunk.toString();
        done();
      },
    });
  const shell: Shell = {
    env,
    version,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: capture('out'),
    stderr: capture('err'),
    exitCode: 0,
    exit: () => {},
    untilInterrupted: () => new AbortController().signal,
  };
  return { shell, output };
}

export async function runInProcess(args: readonly string[], env?: Env, stdin?: string | Buffer): Promise<Outcome> {
  const { shell, output } = openShell(env, stdin);
  await runCommandLine(args, shell);
  return { code: shell.exitCode, ...output };
}

/** Runs a command with --json, which must succeed, and returns its result. */
export async function resultOf<T>(args: readonly string[], env?: Env): Promise<T> {
  const { code, out, err } = await runInProcess([...args, '--json'], env);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}
