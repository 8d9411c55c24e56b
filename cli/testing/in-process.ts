import { Readable, Writable } from 'node:stream';
import type { Shell } from '../line/command.ts';
import { carryOut } from '../program.ts';
import { version } from '../version.ts';
import type { Outcome } from './child-process.ts';

// For tests: lines that are carried out in the process of the test, at a fraction of what a process of its own costs.

type Env = Record<string, string>;

/** A shell without a terminal, and what was said in it. */
export function openShell(
  env: Env = {},
  stdin: string | Buffer = '',
): { shell: Shell; said: { out: string; err: string } } {
  const said = { out: '', err: '' };
  const paper = (name: keyof typeof said): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        said[name] += chunk.toString();
        done();
      },
    });
  const shell: Shell = {
    env,
    version,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: paper('out'),
    stderr: paper('err'),
    exitCode: 0,
    leave: () => {},
    untilInterrupted: () => new AbortController().signal,
  };
  return { shell, said };
}

export async function runHere(args: readonly string[], env?: Env, stdin?: string | Buffer): Promise<Outcome> {
  const { shell, said } = openShell(env, stdin);
  await carryOut(args, shell);
  return { code: shell.exitCode, ...said };
}

/** What a command that must succeed prints with --json. */
export async function resultOf<T>(args: readonly string[], env?: Env): Promise<T> {
  const { code, out, err } = await runHere([...args, '--json'], env);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}
