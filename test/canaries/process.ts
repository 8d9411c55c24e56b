import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithUs } from '../end-process.ts';

/** A program whose whole output is kept. */
export type Heard = AsyncDisposable & {
  /** its standard output and standard error */
  said(): string;
  /** Its first message to its parent. */
  message(): Promise<unknown>;
  /** Waits until the output contains this, or the program ends, at most twenty seconds. */
  until(words: RegExp): Promise<void>;
  /** Ends it as a service manager does. */
  stop(): Promise<void>;
};

export function startHeard(program: string, args: readonly string[], env: Record<string, string>): Heard {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  endWithUs(child);
  let said = '';
  for (const output of [child.stdout!, child.stderr!]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  const messaged = once(child, 'message').then(([message]: unknown[]) => message);
  return {
    said: () => said,
    message: () =>
      Promise.race([
        messaged,
        closed.then(() => {
          throw new Error(`It ended: ${said.slice(-2000)}`);
        }),
      ]),
    async until(words) {
      for (let tries = 0; !words.test(said) && child.exitCode === null; tries++) {
        if (tries === 2000) throw new Error(`The output does not contain ${words}: ${said.slice(-2000)}`);
        await sleep(10);
      }
    },
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
